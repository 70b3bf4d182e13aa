import type { Page } from '@playwright/test'
import { useColors } from './devices.ts'

// Checks for people who do not see the page, its colours or its movements well.

/** Elements of the browser's accessibility tree that need a name and have none. */
export async function unnamedNodesOn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const mustBeNamed = /^(?:dialog|alertdialog|img|image|radiogroup|navigation|meter)$/
  return nodes.flatMap((node) => {
    const role = String(node.role?.value ?? '')
    const isFocusable = node.properties?.some(
      ({ name, value }) => name === 'focusable' && value.value === true,
    )
    const named = String(node.name?.value ?? '').trim() !== ''
    const isDocument = /^(?:RootWebArea|none|generic)$/.test(role)
    if (node.ignored || named || isDocument) return []
    return isFocusable === true || mustBeNamed.test(role) ? [`${role} without a name`] : []
  })
}

/** Elements that move, or change for longer than 0.2 s, although motion is unwanted. */
export function movingElementsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longest = 0.2
    const lasts = (list: string, least = longest) =>
      list.split(',').some((one) => Number.parseFloat(one) > least)
    const moves = /translate|transform|rotate|scale|margin|width|height|inset|^all$/
    const restless: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      const style = getComputedStyle(element)
      // `hold` only keeps the second tap of a double tap from pressing anything.
      const isSeen = !['none', 'hold'].includes(style.animationName)
      const isLong = lasts(style.animationDuration) && isSeen
      // The spinner turns slowly and shows that the page is working.
      if (isLong && !element.matches('.spinner')) restless.push(`${style.animationName} is long`)
      const slides = style.transitionProperty.split(', ').some((name) => moves.test(name))
      if (slides && lasts(style.transitionDuration, 0)) {
        restless.push(`${element.tagName} ${element.className} slides`)
      }
    }
    return restless
  })
}

/** Selected elements that look like the others where the system sets the colours. */
export async function sameInForcedColors(page: Page): Promise<string[]> {
  await useColors(page, { forcedColors: 'active' })
  const alike = await page.evaluate(() => {
    // The mark of an input itself is not seen: it is transparent.
    const marks = ['outline-style', 'outline-width', 'font-weight', 'border-bottom-width']
    const looks = (element: Element) => {
      const style = getComputedStyle(element)
      const icons = Array.from(element.querySelectorAll('svg'), (icon) => icon.innerHTML.length)
      return [...marks.map((mark) => style.getPropertyValue(mark)), ...icons].join(' ')
    }
    const chosenMarks = '[aria-current=page], [aria-checked=true]'
    const found: string[] = []
    const groups = ['[role=radiogroup] label', 'nav a', '[role=menuitemradio]']
    for (const group of groups) {
      const all = Array.from(document.querySelectorAll(group)).filter((one) =>
        one.checkVisibility(),
      )
      const isChosen = (one: Element) =>
        one.matches(chosenMarks) || one.querySelector('input:checked') !== null
      for (const chosen of all.filter(isChosen)) {
        const beside = all.find(
          (one) => one.parentElement === chosen.parentElement && !isChosen(one),
        )
        if (beside && looks(chosen) === looks(beside)) found.push(chosen.textContent ?? '')
      }
    }
    const paper = getComputedStyle(document.body).backgroundColor
    for (const button of document.querySelectorAll('button, [role=dialog]')) {
      const isFilled = button.matches('.bg-brand, [role=dialog]')
      if (!isFilled || !button.checkVisibility()) continue
      const { borderTopWidth, backgroundColor } = getComputedStyle(button)
      if (Number.parseFloat(borderTopWidth) < 1) found.push(`${button.textContent} has no edge`)
      if (button instanceof HTMLButtonElement && backgroundColor === paper) {
        found.push(`${button.textContent} is like every other button`)
      }
    }
    return found
  })
  await useColors(page, { forcedColors: 'none' })
  return alike
}
