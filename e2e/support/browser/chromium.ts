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

/**
 * The browser of this machine, or null. The headless shell is Chromium without its own windows and
 * menus, and takes half of the processor time; a full run prefers the whole Chromium.
 */
export function findChromium(isLong = process.env['E2E_FORM'] === 'long'): string | null {
  const [shell, whole] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  const places = [
    process.env['CHROMIUM'] ?? '',
    ...(isLong ? [whole, shell] : [shell, whole]),
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ]
  return places.find((place) => place !== '' && existsSync(place)) ?? null
}

/** Installs Debian's, with Chinese glyphs, where that is allowed. @returns its path, or null */
export function installChromium(isLong: boolean): string | null {
  const name = isLong ? 'chromium' : 'chromium-headless-shell'
  return installPackages([name, 'fonts-noto-cjk']) ? findChromium(isLong) : null
}
