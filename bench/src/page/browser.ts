import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from 'playwright-core'
import type { World } from '../world.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const alone = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
const exactHeap = ['--js-flags=--expose-gc', '--enable-precise-memory-info']

/** A browser, or null where there is none. */
export async function openBrowser(): Promise<Browser | null> {
  if (!existsSync(executablePath)) return null
  return chromium.launch({ executablePath, args: [...quiet, ...alone, ...exactHeap] })
}

/**
 * How fast the machine is: as it is, or Lighthouse's "slow 4G" as the browser's own throttling
 * applies it, on a phone a quarter as fast.
 */
export const profiles = {
  plain: { network: null, cpu: 1 },
  slow: {
    network: {
      offline: false,
      latency: 562.5,
      downloadThroughput: 184_000,
      uploadThroughput: 84_000,
    },
    cpu: 4,
  },
} as const
export type Profile = keyof typeof profiles

/** A phone that no page has been open on before. @param asker whose session it has, or nobody's */
export function newPhone(browser: Browser, asker?: World): Promise<BrowserContext> {
  const kept = asker && { name: 'tillside:bench:session', value: JSON.stringify(asker.session) }
  return browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    ...(asker && kept
      ? {
          storageState: {
            cookies: [],
            origins: [{ origin: asker.product, localStorage: [kept] }],
          },
        }
      : {}),
  })
}

/** A page on that phone, as slow as the profile says. */
export async function newPage(
  phone: BrowserContext,
  profile: Profile,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await phone.newPage()
  page.setDefaultTimeout(120_000) // on a machine that does much else
  const session = await phone.newCDPSession(page)
  const { network, cpu } = profiles[profile]
  await session.send('Network.enable')
  if (network !== null) await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  return { page, session }
}
