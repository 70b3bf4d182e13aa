import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './support/browser/chromium.ts'
import { firefoxFor } from './support/browser/firefox.ts'

// `run.ts` starts the runner and gives it the product's address in the environment.
const chromium = findChromium()
// A short run plays each journey once. A full run plays every size, and Firefox.
const isLong = process.env['E2E_FORM'] === 'long'

const firefox = { browserName: 'firefox', channel: 'moz-firefox' } as const

/** The main journeys of each feature. Firefox plays them, in about three minutes. */
const mainJourneys = [
  'company/language',
  'coupon/coupons',
  'coupon/redeem',
  'coupon/redeem-failures',
  'display/display',
  'display/slip',
  'home/tasks',
  'points/points',
  'profile/profile',
  'register/register',
  'search/scan',
  'search/turned',
  'shell/privacy',
  'staff/links',
  'staff/login',
  'staff/session',
  'transaction/transactions',
]

/** These journeys, or with `FIREFOX_ALL=1` all that need no tool of Chromium. */
function inFirefox(journeys: readonly string[]) {
  const isAll = process.env['FIREFOX_ALL'] === '1'
  return {
    testMatch: isAll ? '**/*.e2e.ts' : journeys.map((name) => `**/${name}.e2e.ts`),
    // A film in place of the camera, dark colours for the judges, and the accessibility tree.
    testIgnore: ['**/screens/*', '**/camera/*', '**/*-picture*.e2e.ts'],
    grepInvert: /@chromium/,
  }
}

// Addresses, sessions, versions and broken answers are the same on every screen; the judges and the
// keyboard bring their own window.
const onlyOnPhone = [
  'company/api-root',
  'company/bad-input',
  'company/routing',
  'example/till',
  'manual/manual-pictures',
  'manual/practice-picture',
  'screens/*',
  'search/address',
  'shell/upgrade',
  'staff/links',
  'staff/password',
  'staff/session',
].map((name) => `**/${name}.e2e.ts`)
const onlyOnTablet = ['**/home/keyboard.e2e.ts']

// A journey plays on the phone. With the tag @tablet it plays on the tablet, and with @both on
// both, because it asserts what differs between them. A full run plays every journey on both. The
// tag @full marks the rows of a table that only a full run plays.
const onPhone = { testIgnore: onlyOnTablet, ...(isLong ? {} : { grepInvert: /@tablet|@full/ }) }
const onTablet = {
  testIgnore: onlyOnPhone,
  ...(isLong ? {} : { grep: /@tablet|@both|home\/keyboard/, grepInvert: /@full/ }),
}

export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  // A journey that passes only at the second try is a bug, of the product or of the journey, and
  // the report names it. In CI it does not stop everyone's work (decision 0034).
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    baseURL: process.env['BASE_URL'] ?? 'http://127.0.0.1:8080',
    locale: 'en-US',
    // Routes of journeys do not see a worker's requests. upgrade.e2e.ts allows the worker.
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    // Recording takes a fifth of the processor time. `--trace=on` records a journey.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: chromiumArguments,
      ...(chromium === null ? {} : { executablePath: chromium }),
    },
  },
  projects: [
    {
      name: 'phone',
      ...onPhone,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: 'tablet', ...onTablet, use: { viewport: { width: 1180, height: 820 } } },
    ...(isLong
      ? [
          {
            name: 'firefox',
            ...inFirefox(mainJourneys),
            use: {
              ...firefox,
              viewport: { width: 1180, height: 820 },
              launchOptions: firefoxFor('mouse'),
            },
          },
          {
            name: 'firefox-phone',
            ...inFirefox(['home/tasks', 'coupon/redeem']),
            use: {
              ...firefox,
              viewport: { width: 390, height: 844 },
              launchOptions: firefoxFor('finger'),
            },
          },
        ]
      : []),
  ],
})
