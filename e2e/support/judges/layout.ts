import type { Page } from '@playwright/test'

// Layout defects, measured in the page itself.

/** How many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/** The texts of which a part cannot be seen, and no ellipsis says so. */
export function cutTextsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const slack = 1.5
    const cut: string[] = []
    const clips = /hidden|clip/
    function isCutBy(frame: Element, text: DOMRect): boolean {
      const style = getComputedStyle(frame)
      const box = frame.getBoundingClientRect()
      const wide = text.right > box.right + slack || text.left < box.left - slack
      if (clips.test(style.overflowX) && wide && style.textOverflow !== 'ellipsis') return true
      const high = text.bottom > box.bottom + slack + 2 || text.top < box.top - slack - 2
      return clips.test(style.overflowY) && high && style.webkitLineClamp === 'none'
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const words = (node.textContent ?? '').trim()
      const parent = node.parentElement
      if (words === '' || parent === null || parent.closest('script, style, option')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const frames: Element[] = []
      let scrolls = false
      for (let one: Element | null = parent; one !== null; one = one.parentElement) {
        frames.push(one)
        scrolls ||= /auto|scroll/.test(getComputedStyle(one).overflowX)
        if (scrolls) break
      }
      const boxes = frames.map((frame) => frame.getBoundingClientRect())
      // A box of one pixel is text for screen readers only.
      if (boxes.some(({ width, height }) => width <= 1 || height <= 1)) continue
      for (const box of range.getClientRects()) {
        const outside = !scrolls && (box.right > innerWidth + slack || box.left < -slack)
        if (!outside && !frames.some((frame) => isCutBy(frame, box))) continue
        cut.push(words)
        break
      }
    }
    for (const field of document.querySelectorAll('input')) {
      if (!field.checkVisibility() || field.value === '' || field.type === 'file') continue
      if (field.scrollWidth > field.clientWidth + slack) cut.push(`in a field: ${field.value}`)
    }
    return cut
  })
}

/** Targets that are smaller than a finger, except for links inside a sentence. */
export function smallTargetsOn(page: Page, atLeast: number): Promise<string[]> {
  return page.evaluate((least) => {
    const pressable =
      'a[href], button, input, select, textarea, [role=button], [role=menuitem], ' +
      '[role=menuitemradio], [tabindex="0"]'
    const small: string[] = []
    const layer = document.querySelector('[role=dialog], [role=menu]') ?? document
    for (const element of layer.querySelectorAll(pressable)) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      if (element.closest('[inert]') !== null) continue
      const inSentence =
        element instanceof HTMLAnchorElement && getComputedStyle(element).display === 'inline'
      if (inSentence) continue
      // A field is pressed by its frame, a choice by its label.
      const field = element instanceof HTMLInputElement ? element : null
      const whole = field?.closest('.field-frame') ?? field?.closest('label') ?? element
      const box = whole.getBoundingClientRect()
      const size = Math.min(box.width, box.height)
      // An element for keyboards or programs only has no visible target.
      if (size <= 1 || size >= least - 0.5) continue
      // Some reach further than they look.
      element.scrollIntoView({ block: 'center' })
      const now = whole.getBoundingClientRect()
      const [x, y, half] = [now.x + now.width / 2, now.y + now.height / 2, least / 2 - 1]
      const away: [number, number][] = [
        [x, y - half],
        [x, y + half],
        [x - half, y],
        [x + half, y],
      ]
      const reaches = away.every(([left, top]) => {
        const hit = document.elementFromPoint(left, top)
        return hit !== null && (element.contains(hit) || hit.closest('button, a') === element)
      })
      if (reaches) continue
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      small.push(`${element.tagName} ${name.trim().slice(0, 40)}: ${Math.round(size)}`)
    }
    return small
  }, atLeast)
}

/** Focusable elements under a bar, visited one after another in both directions. */
export function coveredFocusOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A layer over the page keeps the focus, and Escape closes it (WCAG 2.4.11, note 2).
    const layer = document.querySelector('[role=dialog], [role=menu]') ?? document
    const stops = Array.from(
      layer.querySelectorAll<HTMLElement>(
        'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled)',
      ),
    ).filter((one) => {
      const { width, height } = one.getBoundingClientRect()
      const isOff = one.closest('[inert], [aria-hidden=true]') !== null || one.tabIndex < 0
      return one.checkVisibility({ visibilityProperty: true }) && !isOff && width > 1 && height > 1
    })
    const covered = new Set<string>()
    const begun = document.activeElement
    for (const one of [...stops, ...stops.toReversed()]) {
      one.focus()
      if (document.activeElement !== one) continue
      const box = one.getBoundingClientRect()
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      const label = one.closest('label')
      if (top !== null && (one.contains(top) || label?.contains(top) === true)) continue
      // Its own part of a larger thing that is pressed as a whole.
      if (top?.closest('label, .field-frame, .ticket')?.contains(one) === true) continue
      const name = one.getAttribute('aria-label') ?? one.textContent ?? ''
      const over = top === null ? 'is outside of the window' : `lies under ${top.className}`
      covered.add(`${one.tagName} ${name.trim().slice(0, 40)} ${over}`)
    }
    if (begun instanceof HTMLElement) begun.focus()
    return [...covered]
  })
}
