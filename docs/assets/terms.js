// A glossary term is a link to its entry at the end of the page. This shows the entry next to the
// term; without it, or without the popover API, the link is what it is.
{
  const OPEN_AFTER = 250
  const CLOSE_AFTER = 300
  const anchored = CSS.supports("position-area: bottom")

  const popup = document.createElement("div")
  popup.className = anchored ? "term-popup term-popup-anchored" : "term-popup"
  popup.popover = "manual"
  popup.role = "group"

  let open // the term whose entry is shown
  let over // the term or popup that the pointer is over
  let opening, closing // timers
  let pressed = {} // the last press of a pointer: its kind, where, and what was open then

  const near = (event) => event.target.closest?.("a.term, .term-popup")
  const inside = (element) => element && (element === open || element === popup)
  const focused = () =>
    popup.contains(document.activeElement) ||
    (document.activeElement === open && open.matches(":focus-visible"))

  const show = (term) => {
    if (term === open) return
    const entry = document.getElementById(decodeURIComponent(term.hash.slice(1)))
    if (!entry) return
    hide()
    const parts = entry.querySelectorAll("dfn, dd > :not(.term-uses)")
    popup.replaceChildren(...[...parts].map((part) => part.cloneNode(true)))
    for (const element of popup.querySelectorAll("[id]")) element.removeAttribute("id")
    popup.ariaLabel = popup.firstChild.textContent
    open = term
    open.classList.add("term-open")
    open.after(popup)
    popup.showPopover()
    if (!anchored) place()
  }

  const hide = () => {
    clearTimeout(opening)
    clearTimeout(closing)
    if (!open) return
    const term = open
    const orphaned = popup.contains(document.activeElement)
    open = undefined
    term.classList.remove("term-open")
    popup.remove()
    if (orphaned) {
      // The mark keeps this focus from opening the popup again.
      term.dataset.closed = ""
      term.focus({ preventScroll: true })
      delete term.dataset.closed
    }
  }

  // Where CSS has no anchors: under the term, or above it where there is no room, and on the page.
  const place = () => {
    const term = open.getBoundingClientRect()
    const { width, height } = popup.getBoundingClientRect()
    const room = document.documentElement.clientWidth - width - 16
    const above = term.bottom + height > innerHeight && term.top > height
    const left = Math.max(0, Math.min(term.left + (term.width - width) / 2 - 8, room))
    popup.style.left = `${left + scrollX}px`
    popup.style.top = `${(above ? term.top - height - 6 : term.bottom) + scrollY}px`
  }

  const hover = (event) => {
    const was = over
    if (event.pointerType === "touch" || was === (over = near(event))) return
    clearTimeout(opening)
    if (inside(over)) clearTimeout(closing)
    else {
      if (over && over !== popup) opening = setTimeout(show, OPEN_AFTER, over)
      if (inside(was)) closing = setTimeout(() => focused() || hide(), CLOSE_AFTER)
    }
  }

  const listeners = {
    pointerover: hover,
    focusin(event) {
      const term = near(event)
      if (term === popup) clearTimeout(closing)
      else if (term?.matches(":focus-visible:not([data-closed])")) show(term)
      else if (term !== open) hide()
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
      const term = near(event)
      if (!term || term === popup) return
      const tapped = pressed.kind && pressed.kind !== "mouse"
      if (tapped && term !== pressed.open) {
        event.preventDefault()
        show(term)
      } else hide()
    },
  }

  if (popup.showPopover) {
    for (const name in listeners) document.addEventListener(name, listeners[name])
    document.documentElement.addEventListener("pointerleave", hover)
    addEventListener("resize", () => anchored || hide())
    addEventListener("pagehide", hide)
  }
}
