import { expect, type Page, test as base } from '../fixtures.ts'
import { axeViolationsOn } from './axe.ts'
import { type Device, nameOf, phone, tablet, useColors, useDevice } from './devices.ts'
import { cutTextsOn, overflowOf } from './layout.ts'

/** Judges the present state of the page on a phone and on a tablet, in light and in dark. */
type Inspect = (state: string) => Promise<void>

// The tablet shows the same elements: a short run judges on one size.
const isLong = process.env['E2E_FORM'] === 'long'

/** A journey with stops at which the judges look at the page. */
export const test = base.extend<{ inspect: Inspect }>({
  inspect: async ({ page, viewport, hasTouch }, use) => {
    base.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const own: Device = { ...(viewport ?? phone), pointer: hasTouch ? 'finger' : 'mouse' }
    const isPhone = own.width === phone.width
    await use(async (state) => {
      await judgeAt(page, own, state)
      await expectAccessibleInBoth(page, `${state}, ${nameOf(own)}`)
      if (!isPhone) return
      await judgeAt(page, tablet, state)
      if (isLong) await expectAccessibleInBoth(page, `${state}, ${nameOf(tablet)}`)
      await useDevice(page, own)
    })
  },
})

async function judgeAt(page: Page, device: Device, state: string): Promise<void> {
  const where = `${state}, ${nameOf(device)}`
  await useDevice(page, device)
  expect.soft(await overflowOf(page), `${where}: wider than the window by`).toBe(0)
  const cut = await cutTextsOn(page)
  // A field may be narrower than its text next to a button: the caret scrolls it.
  const texts = cut.filter((text) => !text.startsWith('in a field'))
  expect.soft(texts, `${where}: cut`).toEqual([])
}

async function expectAccessibleInBoth(page: Page, where: string): Promise<void> {
  await expectAccessible(page, where, 'light')
  await useColors(page, { colorScheme: 'dark' })
  await expectAccessible(page, where, 'dark')
  await useColors(page, { colorScheme: 'light' })
}

/** Runs axe; in the dark only its rule about colours, which alone can differ there. */
export async function expectAccessible(
  page: Page,
  where: string,
  scheme: 'light' | 'dark',
): Promise<void> {
  const rules = scheme === 'dark' ? ['color-contrast'] : undefined
  expect.soft(await axeViolationsOn(page, rules), `${where}, ${scheme}`).toEqual([])
}
