// What a reader has read of the paths. It is kept in this browser alone, as a list of slugs, and the
// reader has the last word: a "-" before a slug says that reaching the end shall not count.
{
  const KEY = "traced.read"
  const all = (selector) => [...document.querySelectorAll(selector)]

  const into = (parent, tag, text = "") => {
    const element = document.createElement(tag)
    element.textContent = text
    parent.append(" ", element)
    return element
  }

  let read
  const load = () => (read = new Set(localStorage.getItem(KEY)?.split(" ")))
  const save = (slugs, ...signs) => {
    load()
    for (const slug of slugs) {
      read.delete(slug)
      read.delete("-" + slug)
      for (const sign of signs) read.add(sign + slug)
    }
    try {
      localStorage.setItem(KEY, [...read].join(" "))
    } catch {} // Where storage has become full, the page says what it was.
    draw()
  }

  const drawings = [] // functions, each of which draws one thing anew
  const draw = () => {
    load()
    for (const drawing of drawings) drawing()
  }

  // A button that says what came of it, and a screen reader hears that: nothing else is announced.
  const button = (parent, act) => {
    const made = into(parent, "button")
    const status = into(parent, "span")
    status.role = "status"
    made.onclick = () => (status.textContent = act())
    return made
  }

  const onceSeen = (element, act) =>
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((one) => one.isIntersecting)) return
      observer.disconnect()
      act()
    }).observe(element)

  const start = () => {
    for (const link of all("a[data-chapter]")) {
      const mark = document.createElement("span")
      mark.className = "path-read"
      link.after(mark)
      drawings.push(() => {
        mark.textContent = read.has(link.dataset.chapter) ? " ✓ read" : ""
      })
    }

    for (const place of all(".path-progress:not([data-chapters=''])")) {
      const slugs = place.dataset.chapters.split(" ")
      const text = into(place, "span")
      drawings.push(() => {
        const count = slugs.filter((slug) => read.has(slug)).length
        text.textContent = `You have read ${count} of ${slugs.length} chapters that are there.`
      })
      if (place.matches(".path *")) {
        button(place, () => (save(slugs), "Forgotten.")).textContent = "Forget what I have read"
      }
    }

    for (const place of all(".chapter-read")) {
      const slugs = [place.dataset.chapter]
      const is = () => read.has(slugs[0])
      const text = into(place, "span")
      const toggle = button(place, () => {
        save(slugs, is() ? "-" : "")
        return all(".path-progress")[0].textContent
      })
      drawings.push(() => {
        text.textContent = is() ? "✓ You have read this chapter." : ""
        toggle.textContent = is() ? "Mark as not read" : "Mark as read"
      })
      const awaitEnd = () =>
        onceSeen(place, () => {
          if (!read.has("-" + slugs[0])) save(slugs, "")
        })
      // Whom a link led into the chapter has not read what stands above.
      const top = all(".chapter-place")[0]
      if (location.hash) addEventListener("load", () => onceSeen(top, awaitEnd))
      else awaitEnd()
    }

    draw()
    addEventListener("pageshow", draw) // A page may come out of the history as it was.
    addEventListener("storage", draw) // Another tab has written.
  }

  try {
    // Where storage is forbidden there is nothing to remember, and nothing to show.
    localStorage.setItem(KEY, localStorage.getItem(KEY) ?? "")
    start()
  } catch {}
}

// A chapter is there as Markdown, too, by a link. Where there is a clipboard, a button copies it.
{
  const link = document.querySelector("a[type='text/markdown']")
  if (link && navigator.clipboard) {
    const button = document.createElement("button")
    const status = document.createElement("span")
    button.textContent = "Copy page"
    status.role = "status"
    link.after(", ", button, " ", status)
    button.onclick = async () => {
      status.textContent = ""
      // Safari wants to be told at once that something will be copied.
      const text = fetch(link.href).then(async (answer) => {
        if (!answer.ok) throw answer
        return new Blob([await answer.text()], { type: "text/plain" })
      })
      try {
        await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })])
        status.textContent = "Copied"
      } catch {
        link.click() // On file:// nothing can be fetched.
      }
    }
  }
}
