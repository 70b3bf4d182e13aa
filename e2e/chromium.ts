import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getuid } from 'node:process'
import { chromium } from '@playwright/test'

/** What a browser in a container needs, and what keeps it from talking to anybody else. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
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
  if (getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null
  process.stderr.write('Installing Chromium (a minute or two) …\n')
  for (const words of [['update'], ['install', '-y', 'chromium', 'fonts-noto-cjk']]) {
    const { status } = spawnSync('apt-get', ['-q', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) return null
  }
  return findChromium()
}
