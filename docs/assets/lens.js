// Lights up in a lens what belongs to the part that is pointed at, has the focus or is pinned: the
// parts that share a strand with it. scripts/traced/lenspanes.py says how parts are marked.
{
  const NOUNS = { j: "equation", s: "op", h: "instruction" }
  const STEPS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }

  const lenses = []
  const $ = (selector, within) => [...within.querySelectorAll(selector)]
  const words = (text) => (text ? text.split(" ") : [])
  const count = (number, noun) => `${number || "no"} ${noun}${number === 1 ? "" : "s"}`

  // The parts of a lens by their keys: the elements of each, the first of them, and its strands.
  const read = (root) => {
    const parts = {}
    for (const element of $("[data-k]", root)) {
      const { k, s, a } = element.dataset
      for (const key of words(k)) (parts[key] ??= { key, elements: [] }).elements.push(element)
      if (s === undefined) continue
      const own = words(s)
      const around = words(a)
      const strands = new Set([...own, ...around])
      Object.assign(parts[words(k).at(-1)], { first: element, own, around, strands })
    }
    return parts
  }

  const among = (part, numbers) => numbers.some((number) => part.strands.has(number))

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

  // Marks a variable where it is defined and used, up to the next definition of that name, and says
  // how often it is used.
  const follow = (root, variable) => {
    for (const element of $(".v", root)) element.classList.remove("v")
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

  const focus = (element) => {
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }

  // One tab stop for each pane: an option of a list, with the arrows to go to the others.
  const makeList = (pane) => {
    const stops = $("[data-s]", pane)
    if (!stops[0]) return
    pane.removeAttribute("tabindex")
    pane.role = "listbox"
    for (const stop of stops) {
      stop.role = "option"
      stop.tabIndex = stop === stops[0] ? 0 : -1
      stop.ariaLabel = stop.dataset.t ?? null
    }
  }

  class Lens {
    constructor(root) {
      this.root = root
      this.panes = $(".pane", root)
      this.letters = $("[type=radio]", root).map((tab) => tab.value)
      this.bar = $(".now > *", root) // what is shown, what became of it, the button to unpin
      this.idle = this.bar.map((element) => element.textContent)
      this.parts = read(root)
      this.all = Object.values(this.parts).filter((part) => part.first)
      // this.shown and this.variable are previewed, this.pinned is pinned.
      this.panes.forEach(makeList)
      // These lead back where there is no script; an option can hold nothing to operate.
      for (const link of $(".pane a", root))
        for (const name of ["href", "tabindex"]) link.removeAttribute(name)
      for (const name of ["pointerover", "pointerleave", "focusin", "focusout", "click", "keydown", "change"])
        root.addEventListener(name, (event) => this[name](event))
      addEventListener("resize", () => this.fit())
    }

    at(element) {
      return this.parts[words(element.closest("[data-k]")?.dataset.k).at(-1)]
    }

    hits(part) {
      return this.all.filter((other) => other === part || among(part, other.own))
    }

    light(name, part) {
      for (const lit of [name, `${name}-hit`, `${name}-near`])
        for (const element of $(`.${lit}`, this.root)) element.classList.remove(lit)
      if (!part) return
      const found = new Set(this.hits(part))
      for (const { first } of found) first.classList.add(`${name}-hit`)
      for (const other of this.all) {
        const lit = found.has(other) ? name : among(part, other.around) && `${name}-near`
        for (const element of lit ? other.elements : []) element.classList.add(lit)
      }
    }

    say(part) {
      const { w } = part.first.dataset
      if (!part.strands.size) return `maps to nothing: ${w}`
      const found = this.hits(part)
      const said = this.letters.flatMap((letter) => made(letter, found))
      return said.join(", ") + (w ? `; ${w}` : "")
    }

    tell() {
      const part = this.shown ?? this.pinned
      const also = follow(this.root, this.variable)
      const { t } = part?.first.dataset ?? {}
      const sources = part && this.hits(part).flatMap(({ first }) => first.dataset.t ?? [])
      const [now, sum] = this.bar
      now.textContent = part ? t ?? (sources.join(" · ") || part.first.textContent) : this.idle[0]
      sum.textContent = part ? this.say(part) + also : this.idle[1]
    }

    show(part, variable) {
      if (part === this.shown && variable === this.variable) return
      this.light("on", (this.shown = part))
      this.variable = variable
      this.tell()
    }

    pin(part) {
      this.pinned?.first.setAttribute("aria-selected", false)
      part?.first.setAttribute("aria-selected", true)
      this.light("pin", (this.pinned = part))
      this.bar[2].hidden = !part
      $(".live", this.root)[0].textContent = part ? this.say(part) : "unpinned"
      this.reveal()
      this.tell()
    }

    toggle(part) {
      this.pin(part === this.pinned ? undefined : part)
      write()
    }

    // Scrolls panes, never the page, to what is pinned.
    reveal() {
      for (const pane of this.panes) {
        const first = this.pinned?.first
        const target = pane.contains(first) ? first : $(".pin-hit", pane)[0]
        const box = pane.getBoundingClientRect()
        const { top, bottom } = target?.getBoundingClientRect() ?? box
        if (top < box.top || bottom > box.bottom) pane.scrollTop += top - box.top - box.height / 3
      }
    }

    choose(letter) {
      $(`[value="${letter}"]`, this.root)[0]?.click()
    }

    move(stop, key) {
      const pane = stop.closest(".pane")
      const stops = $("[data-s]", pane)
      if (["ArrowUp", "ArrowDown"].includes(key)) return focus(stops[stops.indexOf(stop) + STEPS[key]])
      const index = this.panes.indexOf(pane) + STEPS[key]
      const next = this.panes[index]
      if (!next) return
      this.choose(this.letters[index - 1])
      const hit = this.hits(this.at(stop)).find(({ first }) => next.contains(first))
      focus(hit?.first ?? $("[tabindex='0']", next)[0])
    }

    fit() {
      const { root } = this
      root.style.setProperty("--left", `${-root.parentElement.getBoundingClientRect().left}px`)
      root.style.setProperty("--width", `${document.documentElement.clientWidth}px`)
    }

    // Pins the part of this lens that is among those in the URL.
    restore(pins) {
      const { id } = this.root
      const pinned = pins.find((each) => each.startsWith(`${id}.`))
      const part = this.parts[pinned?.slice(id.length + 1)]
      if (!part?.first) return
      this.choose(part.key[0])
      this.pin(part)
      this.root.scrollIntoView()
    }

    pointerover({ target, pointerType }) {
      if (pointerType !== "touch") this.show(this.at(target), target.closest("var"))
    }

    pointerleave() {
      this.show()
    }

    focusin({ target }) {
      if (!target.matches("[data-s]")) return
      for (const stop of $("[tabindex='0']", target.closest(".pane"))) stop.tabIndex = -1
      target.tabIndex = 0
      this.show(this.at(target), $(".d", target)[0])
    }

    focusout({ relatedTarget }) {
      if (!this.root.contains(relatedTarget)) this.show()
    }

    click({ target }) {
      const part = target === this.bar[2] ? this.pinned : this.at(target)
      if (!part || !getSelection().isCollapsed) return
      part.first.focus({ preventScroll: true })
      this.show(part, target.closest("var"))
      this.toggle(part)
    }

    keydown(event) {
      const { target, key } = event
      if (!target.matches("[data-s]") || event.altKey || event.ctrlKey || event.metaKey) return
      if (key === "Enter" || key === " ") this.toggle(this.at(target))
      else if (STEPS[key]) this.move(target, key)
      else return
      event.preventDefault()
    }

    change() {
      const { root } = this
      for (const { value, checked } of $("input", root)) root.classList.toggle(`lens-${value}`, checked)
      this.fit()
      this.reveal()
    }
  }

  // The pins of all lenses are in the URL.
  const write = () => {
    const pins = lenses.flatMap(({ root, pinned }) => (pinned ? `${root.id}.${pinned.key}` : []))
    history.replaceState(history.state, "", `${location.href.split("#")[0]}${pins[0] ? `#${pins}` : ""}`)
  }

  const restore = () => {
    for (const lens of lenses) lens.restore(location.hash.slice(1).split(","))
  }

  for (const root of $(".lens", document)) lenses.push(new Lens(root))
  addEventListener("hashchange", restore)
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return
    for (const lens of lenses.filter(({ pinned }) => pinned)) {
      lens.pin()
      write()
    }
  })
  restore()
}
