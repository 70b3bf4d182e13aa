import type { BrowserContext } from '@playwright/test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './debian.ts'

/** Debian's Firefox ESR of this machine, or null. */
export function findFirefox(): string | null {
  const places = [process.env['FIREFOX'] ?? '', '/usr/bin/firefox-esr']
  return places.find((place) => place !== '' && existsSync(place)) ?? null
}

/** Installs it where that is allowed. @returns its path, or null */
export function installFirefox(): string | null {
  return installPackages(['firefox-esr', 'fonts-noto-cjk']) ? findFirefox() : null
}

/** Firefox's preference values for a finger and for a mouse. */
const hands = { finger: 1, mouse: 2 + 4 }

/** How the runner starts it, before a screen that is pointed at like this. */
export function firefoxFor(user: keyof typeof hands) {
  return {
    executablePath: join(import.meta.dirname, 'firefox-bridge.ts'),
    args: [],
    firefoxUserPrefs: {
      // Without a screen it would know of no hand at all.
      'ui.primaryPointerCapabilities': hands[user],
      'ui.allPointerCapabilities': hands[user],
      // A journey may read and write the clipboard, which no permission of this driver allows.
      'dom.events.testing.asyncClipboard': true,
      // Its hang monitor would end scripts of a page that is busy for ten seconds.
      'dom.ipc.processHangMonitor': false,
      // It sends no requests of its own.
      'app.normandy.enabled': false,
      'services.settings.server': 'data:,',
    },
  }
}

/**
 * Replaces missing functions of the driver inside the page. A text arrives as the browser's own
 * edit, with the events of typing; the driver sets the field's value instead. And the page stores
 * each request's body for `drop-answers.ts`.
 */
export async function mendDriver(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      get: () => (text: string) => void document.execCommand('insertText', false, text),
      set(theirs: unknown) {
        void theirs
      },
    })
    const sentBodies = new Map<string, string>()
    const send = window.fetch
    window.fetch = (input, init) => {
      if (typeof input === 'string' && typeof init?.body === 'string') {
        sentBodies.set(new URL(input, location.href).href, init.body)
      }
      return send(input, init)
    }
    Reflect.set(window, 'sentBodies', sentBodies)
  })
}
