import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { installPackages } from './debian.ts'

/** For a browser in a container that sends no requests of its own. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of one journey after another share a process, and with it the compiled program.
  '--process-per-site',
]

/** The browser of this machine, or null. */
export function findChromium(): string | null {
  const places = [
    process.env['CHROMIUM'] ?? '',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ]
  return places.find((place) => place !== '' && existsSync(place)) ?? null
}

/** Installs Debian's, with Chinese glyphs, where that is allowed. @returns its path, or null */
export function installChromium(): string | null {
  return installPackages(['chromium', 'fonts-noto-cjk']) ? findChromium() : null
}
