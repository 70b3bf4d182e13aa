import * as z from 'zod/mini'
import { newKey } from '../kit/action/action.ts'
import { session } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { company } from '../company/company.ts'
import { paths } from '../paths.ts'
import { type DisplayAddress, displayKey } from './address.ts'

const loadLink = () => import('./link.ts')

function addressOf(display: string): DisplayAddress | null {
  const staff = session.get()?.staff.account
  const identifier = company.get()?.identifier
  if (staff === undefined || identifier === undefined) return null
  return { company: identifier, staff, display }
}

/** The display of this window, or null. */
let linked: DisplayAddress | null = null

/**
 * Opens the customer display of this window, or brings it to the front.
 * @returns false if the browser does not open windows
 */
export function openDisplay(): boolean {
  const own = linked ?? addressOf(newKey())
  if (own === null) return false
  const { to } = paths.display()
  const url = `/${own.company}${to}#${own.display}`
  const opened = window.open(url, `tillside-${own.display}`, 'popup,width=1024,height=720')
  if (opened === null) return false
  link(own)
  return true
}

/** Connects this window to the display that it opened before a reload. */
export function resumeDisplay(): void {
  const own = takeKept()
  if (own !== null) link(own)
}

/** Takes the display out of the tab's storage, where a copy of this tab would find it. */
function takeKept(): DisplayAddress | null {
  const account = session.get()?.staff.account
  if (account === undefined) return null
  const display = z.safeParse(z.uuid(), tabStorage.getItem(displayKey(account)))
  tabStorage.removeItem(displayKey(account))
  return display.success ? addressOf(display.data) : null
}

function link(own: DisplayAddress): void {
  if (linked?.display === own.display) return
  linked = own
  // The tab's storage has the display only between two pages of the tab, so that a copy of the tab
  // does not get it (decision 0101).
  const keep = () => {
    if (session.get()?.staff.account === own.staff)
      tabStorage.setItem(displayKey(own.staff), own.display)
  }
  const take = () => tabStorage.removeItem(displayKey(own.staff))
  const end = () => {
    linked = null
    removeEventListener('pagehide', keep)
    removeEventListener('pageshow', take)
  }
  addEventListener('pagehide', keep)
  addEventListener('pageshow', take)
  void loadLink()
    .then(({ linkDisplay }) => linkDisplay(own, end))
    .catch((error: unknown) => {
      end()
      throw error
    })
}
