import { expect, type Page } from '@playwright/test'
import { type Device, nameOf, useDevice } from './devices.ts'

const sizes: readonly Device[] = [
  { width: 360, height: 640, pointer: 'finger' },
  { width: 390, height: 844, pointer: 'finger' },
  { width: 820, height: 1180, pointer: 'finger' },
  { width: 1024, height: 768, pointer: 'finger' },
  { width: 1180, height: 820, pointer: 'finger' },
  { width: 1280, height: 800, pointer: 'mouse' },
  { width: 1440, height: 900, pointer: 'mouse' },
  { width: 1920, height: 1080, pointer: 'mouse' },
  { width: 2560, height: 1440, pointer: 'mouse' },
]

/**
 * Judges the page in each window, from a small phone to a large desktop.
 * @param from the smallest width to judge, in px
 */
export async function expectNothingCovered(page: Page, from = 0): Promise<void> {
  for (const size of sizes.filter(({ width }) => width >= from)) {
    await useDevice(page, size)
    expect.soft(await coveredActionsOn(page), nameOf(size)).toEqual([])
  }
}

/**
 * The actions that a layer covers at any of nine points. Each is scrolled into view first. Actions
 * below a menu or a modal sheet are left out; those next to a side panel are not.
 */
function coveredActionsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts = [0.1, 0.5, 0.9]
    const actions = 'a[href], button, input, select, textarea, [role=button], [role^=menuitem]'
    const covered: string[] = []
    // A press outside a menu closes the menu.
    const menu = document.querySelector('[role=menu]')
    for (const one of (menu ?? document).querySelectorAll<HTMLElement>(actions)) {
      if (one.closest('[inert], [aria-hidden=true]') !== null || one.matches(':disabled')) continue
      if (!one.checkVisibility({ visibilityProperty: true })) continue
      one.scrollIntoView({ block: 'center', inline: 'center' })
      const { x, y, width, height } = one.getBoundingClientRect()
      if (width <= 1 || height <= 1) continue
      // A field is pressed by its frame, a choice by its label, a ticket by its whole body.
      const whole = one.closest('label, .field-frame, .ticket') ?? one
      const missed = parts
        .flatMap((left) => parts.map((top) => [x + width * left, y + height * top] as const))
        .map(([left, top]) => document.elementFromPoint(left, top))
        .filter((top) => top === null || !(one.contains(top) || whole.contains(top)))
      const [over] = missed
      if (over === undefined) continue
      const name = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)
      const cover = over === null ? 'outside of the window' : `under .${over.className}`
      covered.push(`${one.tagName} ${name}: ${missed.length} of 9 points ${cover}`)
    }
    return covered
  })
}
