import type { CDPSession, Page } from '@playwright/test'

/** A window of a device, and whether a finger or a mouse points at it. */
export type Device = { width: number; height: number; pointer: 'finger' | 'mouse' }

export const phone: Device = { width: 390, height: 844, pointer: 'finger' }
export const tablet: Device = { width: 1180, height: 820, pointer: 'mouse' }

/** Every window that the portal must fit, upright and on its side. */
export const devices: readonly Device[] = [
  { width: 360, height: 640, pointer: 'finger' },
  phone,
  { width: 844, height: 390, pointer: 'finger' },
  { width: 820, height: 1180, pointer: 'finger' },
  { width: 1180, height: 820, pointer: 'finger' },
  tablet,
  { width: 1440, height: 900, pointer: 'mouse' },
]

export function nameOf({ width, height, pointer }: Device): string {
  return `${width} × ${height}, ${pointer}`
}

const sessions = new WeakMap<Page, CDPSession>()

/** Gives an open page another window and pointer. */
export async function useDevice(page: Page, { width, height, pointer }: Device): Promise<void> {
  await page.setViewportSize({ width, height })
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: pointer === 'finger' })
  await settle(page)
}

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>

/**
 * Gives an open page other colours, without the transition to them: it redraws every element for
 * many frames, which costs more than all judges together.
 */
export async function useColors(page: Page, media: Media): Promise<void> {
  const still = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(sheet)
    return sheet
  })
  await page.emulateMedia(media)
  await settle(page)
  await still.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  })
}

/**
 * Waits until the page has drawn itself and nothing on it moves any more. The end of a transition
 * can start another one of an element that inherits the colour, so it checks again.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let round = 0; round < 20; round++) {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      const moving = document.getAnimations().filter((animation) => {
        return animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY
      })
      const running = moving.filter(({ playState }) => playState === 'running')
      if (running.length === 0) return
      await Promise.all(running.map((animation) => animation.finished.catch(() => undefined)))
    }
  })
}
