import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './support/browser/chromium.ts'
import { firefoxFor } from './support/browser/firefox.ts'

// Started by `run.ts`, which says in the environment where the product stands.
const chromium = findChromium()

const firefox = { browserName: 'firefox', channel: 'moz-firefox' } as const

/**
 * What Firefox plays with every `npm test`: each feature's main journeys, in about three minutes.
 */
const mainJourneys = [
  'coupons.e2e.ts',
  'jobs.e2e.ts',
  'language.e2e.ts',
  'links.e2e.ts',
  'login.e2e.ts',
  'points.e2e.ts',
  'privacy.e2e.ts',
  'profile.e2e.ts',
  'redeem-trouble.e2e.ts',
  'redeem.e2e.ts',
  'register.e2e.ts',
  'scan.e2e.ts',
  'session.e2e.ts',
  'transactions.e2e.ts',
]

/** These journeys, or with `FIREFOX_ALL=1` all that do not need one of Chromium's own tools. */
function inFirefox(journeys: readonly string[]) {
  const isAll = process.env['FIREFOX_ALL'] === '1'
  return {
    testMatch: isAll ? '*.e2e.ts' : journeys.map((name) => `**/${name}`),
    // A film in the place of the camera, dark colours for axe, which judges both browsers alike,
    // and the tree of names that only Chromium tells.
    testIgnore: ['accessibility*', '*camera*', 'layout', 'manual-pictures'].map(
      (name) => `${name}.e2e.ts`,
    ),
    grepInvert: /@chromium/,
  }
}

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // A journey that only works the second time is a bug, of the product or of the journey: it is
  // named. In CI it does not hold back everybody's work (decision 0034).
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    baseURL: process.env['BASE_URL'] ?? 'http://127.0.0.1:8080',
    locale: 'en-US',
    // A worker's own requests pass by the routes that journeys lay; upgrade.e2e.ts lets it in.
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      args: chromiumArguments,
      ...(chromium === null ? {} : { executablePath: chromium }),
    },
  },
  projects: [
    {
      name: 'phone',
      // Both bring every size that they need, or keys alone.
      testIgnore: ['keyboard.e2e.ts', 'layout.e2e.ts'],
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'tablet',
      // Addresses, sessions, versions and broken answers are the same on every screen.
      testIgnore: [
        'api-root.e2e.ts',
        'bad-input.e2e.ts',
        'links.e2e.ts',
        'look-up.e2e.ts',
        'manual-pictures.e2e.ts',
        'password.e2e.ts',
        'routing.e2e.ts',
        'session.e2e.ts',
        'upgrade.e2e.ts',
      ],
      use: { viewport: { width: 1180, height: 820 } },
    },
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
      ...inFirefox(['jobs.e2e.ts', 'redeem.e2e.ts']),
      use: {
        ...firefox,
        viewport: { width: 390, height: 844 },
        launchOptions: firefoxFor('finger'),
      },
    },
  ],
})
