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
  ],
})
