import { type Language, languages } from '@tillside/contract/wire/language'
import { doubleText } from '../../support/browser/text-size.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import {
  movingElementsOn,
  sameInForcedColors,
  unnamedNodesOn,
} from '../../support/judges/accessibility-tree.ts'
import {
  devices,
  type Device,
  nameOf,
  phone,
  tablet,
  useColors,
  useDevice,
} from '../../support/judges/devices.ts'
import { expectAccessible } from '../../support/judges/inspect.ts'
import { englishTextsOn } from '../../support/judges/language.ts'
import {
  coveredFocusOn,
  cutTextsOn,
  overflowOf,
  smallTargetsOn,
} from '../../support/judges/layout.ts'
import { textsIn } from '../../support/portal/catalogue.ts'
import { type Screen, screens } from '../../support/portal/screens.ts'

// Each screen is opened once, and every judge looks at it: on each device, in light and in dark.
// Nothing is wider than its window, no text is cut, a finger can hit each target, no bar covers the
// focus, everything has a name, nothing moves against the user's wish, nothing is distinguished by
// its colour alone, and axe-core finds nothing.

test.use({ isMobile: false, hasTouch: true, viewport: { width: 390, height: 844 } })

const isLong = process.env['E2E_FORM'] === 'long'
// A short run leaves out the phone on its side, and a finger on the width of the tablet.
const someDevices = devices.filter(
  ({ width, height, pointer }) => width < height || pointer === 'mouse',
)

for (const screen of screens) {
  test(
    `${screen.name} passes every judge`,
    { tag: '@chromium' },
    async ({ page, startSession }) => {
      test.slow()
      if (screen.account !== null) await startSession(screen.company, screen.account)
      await open(page, screen)
      for (const device of isLong ? devices : someDevices) {
        await useDevice(page, device)
        await expectFits(page, device)
        if (runsAxeOn(device)) await expectAccessible(page, nameOf(device), 'light')
        if (judgesDarkOn(device)) await expectGoodInDark(page, device)
      }
      expect.soft(await unnamedNodesOn(page), 'without a name').toEqual([])
      expect.soft(await movingElementsOn(page), 'moves, though motion is unwanted').toEqual([])
      expect.soft(await sameInForcedColors(page), 'alike without colours').toEqual([])
      await expectFitsLargeText(page)
    },
  )
}

/** The companies that offer fewer languages than the portal has. */
const offered: Readonly<Record<string, readonly Language[]>> = { harbour: ['zh-HK', 'en-US'] }

if (isLong) {
  for (const language of languages.filter((one) => one !== 'en-US')) {
    test.describe(`in ${language}`, { tag: '@chromium' }, () => {
      test.use({ locale: language })
      const spoken = screens.filter(({ company }) => offered[company]?.includes(language) ?? true)
      for (const screen of spoken) {
        test(`${screen.name} fits and has no English text`, async ({ page, startSession }) => {
          test.slow()
          if (screen.account !== null) await startSession(screen.company, screen.account)
          await open(page, screen, language)
          expect.soft(await englishTextsOn(page, language), 'English').toEqual([])
          for (const device of devices) {
            await useDevice(page, device)
            await expectFits(page, device)
            await expectGoodInDark(page, device)
          }
        })
      }
    })
  }
}

async function open(
  page: Page,
  { path, shows }: Screen,
  language: Language = 'en-US',
): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(path)
  await shows(page, textsIn(language))
  await page.waitForLoadState('networkidle')
}

// A short run judges colours and covered focus where they differ most.
const judgesDarkOn = (device: Device) => isLong || device === phone
// The tablet shows the same elements as the phone, or fewer columns of them.
const runsAxeOn = (device: Device) => device === phone || (isLong && device === tablet)
const judgesFocusOn = (device: Device) =>
  isLong || device === devices[0] || device === phone || device === tablet

async function expectFits(page: Page, device: Device): Promise<void> {
  const where = nameOf(device)
  expect.soft(await overflowOf(page), `${where}: wider by`).toBe(0)
  expect.soft(await cutTextsOn(page), `${where}: cut`).toEqual([])
  // WCAG 2.5.5 for a finger, 2.5.8 for a mouse.
  const least = device.pointer === 'finger' ? 44 : 24
  expect.soft(await smallTargetsOn(page, least), `${where}: too small`).toEqual([])
  if (!judgesFocusOn(device)) return
  expect.soft(await coveredFocusOn(page), `${where}: covered`).toEqual([])
}

async function expectGoodInDark(page: Page, device: Device): Promise<void> {
  const where = nameOf(device)
  await useColors(page, { colorScheme: 'dark' })
  expect.soft(await overflowOf(page), `${where}, dark: wider by`).toBe(0)
  expect.soft(await cutTextsOn(page), `${where}, dark: cut`).toEqual([])
  if (runsAxeOn(device)) await expectAccessible(page, where, 'dark')
  await useColors(page, { colorScheme: 'light' })
}

async function expectFitsLargeText(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 })
  await doubleText(page)
  expect.soft(await overflowOf(page), 'text of twice the size: wider by').toBe(0)
  const cut = await cutTextsOn(page)
  // The caret scrolls a number that is longer than its field.
  const texts = cut.filter((text) => !text.startsWith('in a field'))
  expect.soft(texts, 'text of twice the size: cut').toEqual([])
}
