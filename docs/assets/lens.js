// Lights up in a lens what belongs to the part that is pointed at, has the focus or is pinned: the
// parts that share a strand with it. scripts/traced/lenspanes.py says how parts are marked.
{
  const NOUNS = { j: "equation", s: "op", h: "instruction" }
  const STEPS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }

  const lenses = []
  const words = (text) => (text ? text.split(" ") : [])
  const count = (number, noun) => `${number || "no"} ${noun}${number === 1 ? "" : "s"}`

  const start = (root) => {
    const $ = (selector, within = root) => [...within.querySelectorAll(selector)]
    const panes = $(".pane")
    const letters = $("[type=radio]").map((tab) => tab.value)
    const [now, sum, unpin] = $(".now > *")
    const idle = [now.textContent, sum.textContent]
    const parts = {}
    let shown, named // the part and the variable that are previewed

    for (const element of $("[data-k]")) {
      const { k, s, a } = element.dataset
      for (const key of words(k)) (parts[key] ??= { key, elements: [] }).elements.push(element)
      if (s === undefined) continue
      const own = words(s)
      const around = words(a)
      const strands = new Set([...own, ...around])
      Object.assign(parts[words(k).at(-1)], { first: element, own, around, strands })
    }
    const all = Object.values(parts).filter((part) => part.first)
    const at = (element) => parts[words(element.closest("[data-k]")?.dataset.k).at(-1)]
    const among = (part, numbers) => numbers.some((number) => part.strands.has(number))
    const hits = (part) => all.filter((other) => other === part || among(part, other.own))

    const light = (name, part) => {
      for (const lit of [name, `${name}-hit`, `${name}-near`])
        for (const element of $(`.${lit}`)) element.classList.remove(lit)
      if (!part) return
      const found = new Set(hits(part))
      for (const { first } of found) first.classList.add(`${name}-hit`)
      for (const other of all) {
        const lit = found.has(other) ? name : among(part, other.around) && `${name}-near`
        for (const element of lit ? other.elements : []) element.classList.add(lit)
      }
    }

    // What became of a part in one layer.
    const made = (letter, found) => {
      const firsts = found.filter(({ key }) => key[0] === letter).map(({ first }) => first.dataset)
      const fusions = firsts.map(({ f }) => f).filter(Boolean)
      const loose = firsts.filter(({ f }) => f === undefined)
      const said = loose.length || !fusions.length ? [count(loose.length, NOUNS[letter])] : []
      const phases = ["forward", "backward", "recomputed"]
        .map((phase) => [firsts.filter(({ p }) => p === phase).length, phase])
        .filter(([number]) => number && letter === "j")
      if (phases[0]) said[0] += ` (${phases.map((each) => each.join(" ")).join(", ")})`
      if (fusions[2]) said.push(`fused into ${fusions.length} fusions`)
      else if (fusions[0]) said.push(`fused into ${fusions.join(" and ")}`)
      return said
    }

    const say = (part) => {
      const { w } = part.first.dataset
      if (!part.strands.size) return `maps to nothing: ${w}`
      const found = hits(part)
      return letters.flatMap((letter) => made(letter, found)).join(", ") + (w ? `; ${w}` : "")
    }

    // Marks a variable where it is defined and used: up to the next definition of that name.
    const follow = (variable) => {
      for (const element of $(".v")) element.classList.remove("v")
      if (!variable) return ""
      const name = (element) => element.textContent.split(/[:#]/)[0]
      let found = []
      for (const element of $("var", variable.closest(".pane"))) {
        if (name(element) !== name(variable)) continue
        if (element.matches(".d")) {
          if (found.includes(variable)) break
          found = []
        }
        found.push(element)
      }
      for (const element of found) element.classList.add("v")
      const uses = found.filter((element) => !element.matches(".d"))
      return `; ${name(variable)} is used ${count(uses.length, "time")}`
    }

    const tell = () => {
      const part = shown ?? lens.pinned
      const also = follow(named)
      const { t } = part?.first.dataset ?? {}
      const sources = part && hits(part).flatMap(({ first }) => first.dataset.t ?? [])
      now.textContent = part ? t ?? (sources.join(" · ") || part.first.textContent) : idle[0]
      sum.textContent = part ? say(part) + also : idle[1]
    }

    const show = (part, variable) => {
      if (part === shown && variable === named) return
      light("on", (shown = part))
      named = variable
      tell()
    }

    const pin = (part) => {
      lens.pinned?.first.setAttribute("aria-selected", false)
      part?.first.setAttribute("aria-selected", true)
      light("pin", (lens.pinned = part))
      unpin.hidden = !part
      $(".live")[0].textContent = part ? say(part) : "unpinned"
      reveal()
      tell()
    }

    const toggle = (part) => {
      pin(part === lens.pinned ? undefined : part)
      write()
    }

    // Scrolls panes, never the page, to what is pinned.
    const reveal = () => {
      for (const pane of panes) {
        const first = lens.pinned?.first
        const target = pane.contains(first) ? first : $(".pin-hit", pane)[0]
        const box = pane.getBoundingClientRect()
        const { top, bottom } = target?.getBoundingClientRect() ?? box
        if (top < box.top || bottom > box.bottom) pane.scrollTop += top - box.top - box.height / 3
      }
    }

    const focus = (element) => {
      element?.focus({ preventScroll: true })
      element?.scrollIntoView({ block: "nearest", inline: "nearest" })
    }

    const choose = (letter) => $(`[value="${letter}"]`)[0]?.click()

    const move = (stop, key) => {
      const pane = stop.closest(".pane")
      const stops = $("[data-s]", pane)
      if (["ArrowUp", "ArrowDown"].includes(key)) return focus(stops[stops.indexOf(stop) + STEPS[key]])
      const index = panes.indexOf(pane) + STEPS[key]
      const next = panes[index]
      if (!next) return
      choose(letters[index - 1])
      const hit = hits(at(stop)).find(({ first }) => next.contains(first))
      focus(hit?.first ?? $("[tabindex='0']", next)[0])
    }

    const fit = () => {
      root.style.setProperty("--left", `${-root.parentElement.getBoundingClientRect().left}px`)
      root.style.setProperty("--width", `${document.documentElement.clientWidth}px`)
    }

    const listeners = {
      pointerover({ target, pointerType }) {
        if (pointerType !== "touch") show(at(target), target.closest("var"))
      },
      pointerleave: () => show(),
      focusin({ target }) {
        if (!target.matches("[data-s]")) return
        for (const stop of $("[tabindex='0']", target.closest(".pane"))) stop.tabIndex = -1
        target.tabIndex = 0
        show(at(target), $(".d", target)[0])
      },
      focusout({ relatedTarget }) {
        if (!root.contains(relatedTarget)) show()
      },
      click({ target }) {
        const part = target === unpin ? lens.pinned : at(target)
        if (!part || !getSelection().isCollapsed) return
        part.first.focus({ preventScroll: true })
        show(part, target.closest("var"))
        toggle(part)
      },
      keydown(event) {
        const { target, key } = event
        if (!target.matches("[data-s]") || event.altKey || event.ctrlKey || event.metaKey) return
        if (key === "Enter" || key === " ") toggle(at(target))
        else if (STEPS[key]) move(target, key)
        else return
        event.preventDefault()
      },
      change() {
        for (const { value, checked } of $("input")) root.classList.toggle(`lens-${value}`, checked)
        fit()
        reveal()
      },
    }

    const restore = (pins) => {
      const pinned = pins.find((each) => each.startsWith(`${root.id}.`))
      const part = parts[pinned?.slice(root.id.length + 1)]
      if (!part?.first) return
      choose(part.key[0])
      pin(part)
      root.scrollIntoView()
    }

    for (const pane of panes) {
      const stops = $("[data-s]", pane)
      if (!stops[0]) continue
      pane.removeAttribute("tabindex")
      pane.role = "listbox"
      for (const stop of stops) {
        stop.role = "option"
        stop.tabIndex = stop === stops[0] ? 0 : -1
        stop.ariaLabel = stop.dataset.t ?? null
      }
    }
    // These lead back where there is no script; an option can hold nothing to operate.
    for (const link of $(".pane a")) for (const name of ["href", "tabindex"]) link.removeAttribute(name)
    for (const name in listeners) root.addEventListener(name, listeners[name])
    addEventListener("resize", fit)

    const lens = { root, pin, restore }
    return lens
  }

  // The pins of all lenses are in the URL.
  const write = () => {
    const pins = lenses.flatMap(({ root, pinned }) => (pinned ? `${root.id}.${pinned.key}` : []))
    history.replaceState(history.state, "", `${location.href.split("#")[0]}${pins[0] ? `#${pins}` : ""}`)
  }

  const read = () => {
    for (const lens of lenses) lens.restore(location.hash.slice(1).split(","))
  }

  for (const root of document.querySelectorAll(".lens")) lenses.push(start(root))
  addEventListener("hashchange", read)
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return
    for (const lens of lenses.filter(({ pinned }) => pinned)) {
      lens.pin()
      write()
    }
  })
  read()
}
