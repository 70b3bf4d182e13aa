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

/**
 * Opens the customer display of this window, or brings it to the front.
 * @returns false if the browser does not open windows
 */
export function openDisplay(): boolean {
  const kept = keptAddress()
  const own = kept ?? addressOf(newKey())
  if (own === null) return false
  const { to } = paths.display()
  const url = `/${own.company}${to}#${own.display}`
  const opened = window.open(url, `tillside-${own.display}`, 'popup,width=1024,height=720')
  if (opened === null) return false
  tabStorage.setItem(displayKey(own.staff), own.display)
  void loadLink().then(({ linkDisplay }) => linkDisplay(own, kept === null))
  return true
}

function keptAddress(): DisplayAddress | null {
  const account = session.get()?.staff.account
  const kept = account === undefined ? null : tabStorage.getItem(displayKey(account))
  const display = z.safeParse(z.uuid(), kept)
  return display.success ? addressOf(display.data) : null
}

/** Connects this window to the display that it opened before a reload. */
export function resumeDisplay(): void {
  const own = keptAddress()
  if (own !== null) void loadLink().then(({ linkDisplay }) => linkDisplay(own, false))
}
