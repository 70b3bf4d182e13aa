import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from 'playwright-core'
import type { World } from '../world.ts'

// `npm test` installs the headless one.
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find(existsSync)
const executablePath = process.env['CHROMIUM'] ?? installed
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const alone = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
const exactHeap = ['--js-flags=--expose-gc', '--enable-precise-memory-info']

/** Starts Chromium, or returns null if it is not installed. */
export async function openBrowser(): Promise<Browser | null> {
  if (executablePath === undefined || !existsSync(executablePath)) return null
  return chromium.launch({ executablePath, args: [...quiet, ...alone, ...exactHeap] })
}

/**
 * `plain`: the machine as it is. `slow`: Lighthouse's "slow 4G" by the browser's own throttling,
 * with a processor slowed down four times. `busy`: such a processor, with the machine's network.
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
  busy: { network: null, cpu: 4 },
} as const
export type Profile = keyof typeof profiles

/** A phone with an empty browser profile. @param asker the clerk who is logged in, if any */
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

/** A page on that phone, with the profile's throttling. */
export async function newPage(
  phone: BrowserContext,
  profile: Profile,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await phone.newPage()
  page.setDefaultTimeout(120_000) // for a busy machine
  const session = await phone.newCDPSession(page)
  const { network, cpu } = profiles[profile]
  await session.send('Network.enable')
  if (network !== null) await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  return { page, session }
}
