import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'

// Started by `run.ts`, which says in the environment where the product stands.
const chromium = findChromium()

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // A journey that only works the second time is a bug, of the product or of the journey.
  retries: 0,
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
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'tablet',
      // An address leads to the same place on every screen.
      testIgnore: ['routing.e2e.ts', 'look-up.e2e.ts', 'upgrade.e2e.ts'],
      use: { viewport: { width: 1180, height: 820 } },
    },
  ],
})
