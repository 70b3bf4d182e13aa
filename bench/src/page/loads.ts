import type { Browser, BrowserContext } from 'playwright-core'
import { median } from '../load.ts'
import { type Form, say, printFigure } from '../report.ts'
import type { World } from '../world.ts'
import { newPage, newPhone, type Profile } from './browser.ts'
import { emptyReactPage } from './empty.ts'

const sizes = {
  normal: { rounds: 3, profiles: ['plain', 'slow'], pages: ['login', 'search', 'overview'] },
  short: { rounds: 1, profiles: ['slow'], pages: ['login'] },
} as const
type PageName = (typeof sizes)['normal']['pages'][number]

/**
 * The largest paint, compared with an empty React page. The login form is part of the HTML, so it
 * should appear no later. A member opened by address requires a request first.
 */
const targets: Record<PageName, number> = { login: 1, search: 1.5, overview: 1.5 }
/** When a member's first coupon is on the screen of a slow phone, ms. */
const couponTargetsMs = { first: 3_000, repeat: 1_600 }

// Runs in the page. All content is already painted at that time, so no larger paint follows.
const largestPaint = `new Promise((done) => {
  let last = 0
  new PerformanceObserver((list) => (last = list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => done(last), 100)
})`

/** An element that appears with the page's first content. */
const whole: Record<PageName, string> = {
  login: 'form input',
  search: 'main input',
  overview: 'main article',
}

/** Runs in the page before its own scripts: keeps the time of the frame that shows the element. */
function noteShown(selector: string): string {
  return `new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (window.shownMs = performance.now())))
  }).observe(document, { childList: true, subtree: true })`
}

type Visit = { largestPaintMs: number; shownMs: number; bytes: Record<string, number> }
type Wanted = { url: string; shown: string }
type Visits = Record<'first' | 'repeat', Visit[]>

/**
 * Measures first and repeated loads of the portal's pages, alternating with those of an empty React
 * page.
 */
export async function measureLoads(browser: Browser, world: World, form: Form): Promise<void> {
  const empty = await emptyReactPage()
  const { rounds, profiles, pages } = sizes[form]
  const addresses: Record<PageName, string> = {
    login: `${world.product}/bench/login`,
    search: `${world.product}/bench/member/search/index`,
    overview: `${world.product}/bench/member/home/view?code=M1`,
  }
  try {
    for (const profile of profiles) {
      const theirs = noVisits()
      const ours = pages.map((name) => ({ name, visits: noVisits() }))
      for (let round = 0; round < rounds; round++) {
        await visitTwice(await newPhone(browser), profile, { url: empty.url, shown: 'h1' }, theirs)
        for (const { name, visits } of ours) {
          const phone = await newPhone(browser, name === 'login' ? undefined : world)
          const page = { url: addresses[name], shown: whole[name] }
          await visitTwice(phone, profile, page, visits)
        }
      }
      for (const { name, visits } of ours) {
        report(name, profile, 'first', visits.first, theirs.first)
        report(name, profile, 'repeat', visits.repeat, theirs.repeat)
        if (name === 'overview') reportCoupon(profile, visits)
      }
    }
  } finally {
    await empty.close()
  }
}

function noVisits(): Visits {
  return { first: [], repeat: [] }
}

function report(
  name: PageName,
  profile: Profile,
  load: 'first' | 'repeat',
  own: readonly Visit[],
  empty: readonly Visit[],
): void {
  const hasTarget = profile === 'slow' && load === 'first'
  printFigure({
    name: `${name}, ${load} load, ${profile}`,
    value: ms(own) / ms(empty),
    unit: 'of empty',
    ...(hasTarget && { target: targets[name] }),
    better: 'less',
    from: { 'paint ms': ms(own), 'empty ms': ms(empty), KiB: kib(own), 'empty KiB': kib(empty) },
  })
  const kinds = Object.entries(own.at(-1)?.bytes ?? {})
  say(`  ${kinds.map(([k, n]) => `${k.toLowerCase()} ${(n / 1024).toFixed(1)} KiB`).join(', ')}`)
}

function reportCoupon(profile: Profile, visits: Visits): void {
  for (const load of ['first', 'repeat'] as const) {
    printFigure({
      name: `overview, ${load} load, ${profile}: first coupon`,
      value: median(visits[load].map(({ shownMs }) => shownMs)),
      unit: 'ms',
      ...(profile === 'slow' && { target: couponTargetsMs[load] }),
      better: 'less',
    })
  }
}

function ms(visits: readonly Visit[]): number {
  return median(visits.map((visit) => visit.largestPaintMs))
}

function kib(visits: readonly Visit[]): number {
  const sums = visits.map(({ bytes }) => Object.values(bytes).reduce((sum, n) => sum + n, 0))
  return median(sums) / 1024
}

async function visitTwice(
  phone: BrowserContext,
  profile: Profile,
  wanted: Wanted,
  visits: Visits,
): Promise<void> {
  visits.first.push(await visitOnce(phone, profile, wanted))
  visits.repeat.push(await visitOnce(phone, profile, wanted))
  await phone.close()
}

async function visitOnce(
  phone: BrowserContext,
  profile: Profile,
  { url, shown }: Wanted,
): Promise<Visit> {
  const { page, session } = await newPage(phone, profile)
  const kinds = new Map<string, string>()
  const bytes: Record<string, number> = {}
  session.on('Network.responseReceived', (e) => kinds.set(e.requestId, e.type))
  session.on('Network.loadingFinished', (e) => {
    const kind = kinds.get(e.requestId) ?? 'Other'
    bytes[kind] = (bytes[kind] ?? 0) + e.encodedDataLength
  })
  await page.addInitScript(noteShown(shown))
  await page.goto(url, { waitUntil: 'load' })
  // On a slow phone the network may be idle before the first request is sent.
  await page.locator(shown).first().waitFor()
  // The portal checks for a new version every five seconds, so a longer idle time would never be
  // reached.
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
  const largestPaintMs = await page.evaluate<number>(largestPaint)
  const shownMs = await page.evaluate<number>('window.shownMs')
  await page.close()
  return { largestPaintMs, shownMs, bytes }
}
