// A glossary term and a checked statement are links to an entry at the end of the page. This shows
// the entry next to them; without it, or without the popover API, the link is what it is.
{
  const OPEN_AFTER = 250
  const CLOSE_AFTER = 300
  const KEY = "traced.marked"
  const anchored = CSS.supports("position-area: bottom")

  const popup = document.createElement("div")
  popup.className = anchored ? "popup popup-anchored" : "popup"
  popup.popover = "manual"
  popup.role = "group"

  let open // the link whose entry is shown
  let over // the link or popup that the pointer is over
  let opening, closing // timers
  let pressed = {} // the last press of a pointer: its kind, where, and what was open then

  const list = document.getElementById("facts")
  const facts = new Map() // each checked statement, and where it leads
  for (const fact of document.querySelectorAll("a.fact")) facts.set(fact, fact.hash)

  const near = (event) => event.target.closest?.("a.term, a.fact, .popup")
  const inside = (element) => element && (element === open || element === popup)
  const focused = () =>
    popup.contains(document.activeElement) ||
    (document.activeElement === open && open.matches(":focus-visible"))

  const copies = (nodes) => [...nodes].map((node) => node.cloneNode(true))
  const defined = (entry) => copies(entry.querySelectorAll("dfn, dd > :not(.term-uses)"))
  const checked = (entry) => {
    const line = document.createElement("p")
    const name = document.createElement("code")
    const [back, value] = entry.childNodes
    name.append(back.textContent)
    line.append("Checked in this build: ", name, `${value.data}, JAX ${list.dataset.jax}`)
    return [line, ...copies(entry.parentNode.querySelectorAll("dt a"))]
  }

  const show = (link) => {
    if (link === open) return
    const to = facts.get(link) ?? link.hash
    const entry = document.getElementById(decodeURIComponent(to.slice(1)))
    if (!entry) return
    hide()
    popup.replaceChildren(...(facts.has(link) ? checked : defined)(entry))
    for (const element of popup.querySelectorAll("[id]")) element.removeAttribute("id")
    popup.ariaLabel = popup.querySelector("dfn, code").textContent
    open = link
    open.classList.add("popup-open")
    open.after(popup)
    popup.showPopover()
    if (!anchored) place()
  }

  const hide = () => {
    clearTimeout(opening)
    clearTimeout(closing)
    if (!open) return
    const link = open
    const orphaned = popup.contains(document.activeElement)
    open = undefined
    link.classList.remove("popup-open")
    popup.remove()
    if (orphaned) {
      // The mark keeps this focus from opening the popup again.
      link.dataset.closed = ""
      link.focus({ preventScroll: true })
      delete link.dataset.closed
    }
  }

  // Where CSS has no anchors: under the link, or above it where there is no room, and on the page.
  const place = () => {
    const link = open.getBoundingClientRect()
    const { width, height } = popup.getBoundingClientRect()
    const room = document.documentElement.clientWidth - width - 16
    const above = link.bottom + height > innerHeight && link.top > height
    const left = Math.max(0, Math.min(link.left + (link.width - width) / 2 - 8, room))
    popup.style.left = `${left + scrollX}px`
    popup.style.top = `${(above ? link.top - height - 6 : link.bottom) + scrollY}px`
  }

  const hover = (event) => {
    const was = over
    if (event.pointerType === "touch" || was === (over = near(event))) return
    clearTimeout(opening)
    if (inside(over)) clearTimeout(closing)
    else {
      // Not while text is being selected.
      if (over && !event.buttons) opening = setTimeout(show, OPEN_AFTER, over)
      if (inside(was)) closing = setTimeout(() => focused() || hide(), CLOSE_AFTER)
    }
  }

  const listeners = {
    pointerover: hover,
    focusin(event) {
      const link = near(event)
      if (link === popup) clearTimeout(closing)
      else if (link?.matches(":focus-visible:not([data-closed])")) show(link)
      else if (link !== open) hide()
    },
    keydown(event) {
      pressed = {}
      if (event.key === "Escape") hide()
    },
    pointerdown(event) {
      pressed = { kind: event.pointerType, at: near(event), open }
    },
    pointerup(event) {
      if (!pressed.at && !near(event)) hide()
    },
    // A finger cannot hover: its first tap shows, and only the second follows the link.
    click(event) {
      const link = near(event)
      if (!link || link === popup) return
      const tapped = pressed.kind && pressed.kind !== "mouse"
      if (tapped && link !== pressed.open) {
        event.preventDefault()
        show(link)
      } else hide()
    },
  }

  if (popup.showPopover) {
    for (const name in listeners) document.addEventListener(name, listeners[name])
    document.documentElement.addEventListener("pointerleave", hover)
    addEventListener("resize", () => anchored || hide())
    addEventListener("pagehide", hide)
  }

  // A page has dozens of checked statements. Until the reader asks for them they are no links, so
  // that text can be selected, Tab does not stop at each, and nothing is read out in between.
  const slot = document.querySelector(".fact-switch")
  if (slot) {
    const label = document.createElement("label")
    const box = document.createElement("input")
    box.type = "checkbox"
    label.append(box, " Mark what is checked")
    slot.append(label)

    const mark = (event) => {
      try {
        if (event?.type === "change") localStorage.setItem(KEY, box.checked || "")
        box.checked = localStorage.getItem(KEY)
      } catch {} // Storage may be forbidden; then the switch is of this page alone.
      document.body.classList.toggle("facts-marked", box.checked)
      for (const [fact, to] of facts) {
        for (const [name, value] of Object.entries({ href: to, "aria-describedby": to.slice(1) })) {
          if (box.checked) fact.setAttribute(name, value)
          else fact.removeAttribute(name)
        }
      }
    }
    box.addEventListener("change", mark)
    addEventListener("pageshow", mark) // A page may come out of the history as it was.
    mark()
  }
}
