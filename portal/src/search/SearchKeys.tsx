import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { deviceStorage } from '../kit/store/storage.ts'
import { leaveCustomers } from '../member/formerCustomers.ts'
import { paths } from '../paths.ts'
import { showToast } from '../ui/layer/toastStore.ts'

/** Attributes of the fields that `/` focuses. */
export const searchField = { 'data-search': '', 'aria-keyshortcuts': '/' }

const slashOffKey = 'tillside:slash-off'

const takesText =
  'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

/** Goes to an empty search, and removes the member's data from the tab. */
export function useNextCustomer(): () => void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leave = async () => {
    // Before the address changes: a reload at that moment must not lose it.
    const stay = leaveCustomers()
    await navigate(paths.memberSearch())
    queries.removeQueries({ queryKey: ['member'] })
    if (!location.pathname.endsWith(paths.memberSearch().to)) stay()
  }
  return () => void leave()
}

/**
 * `/` focuses the search, Alt+N goes to the next customer. Speech input may type `/` by accident,
 * so Alt+/ turns the single-character shortcut off and on (WCAG 2.1.4).
 */
export function SearchKeys(): null {
  const { t } = useLingui()
  const next = useNextCustomer()
  const off = t({ id: 'keys.off', message: 'The shortcut / is off. Alt+/ turns it on.' })
  const on = t({ id: 'keys.on', message: 'The shortcut / is on. Alt+/ turns it off.' })
  const act = useRef<(event: KeyboardEvent) => boolean>(() => false)
  useEffect(() => {
    act.current = (event) => {
      if (event.altKey && event.code === 'KeyN') return done(next)
      if (event.altKey && event.code === 'Slash') return done(() => turn(on, off))
      if (event.altKey || event.key !== '/' || deviceStorage.getItem(slashOffKey)) return false
      if (event.target instanceof Element && event.target.matches(takesText)) return false
      return done(() => focusField() || next())
    }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing || event.keyCode === 229) return
      // While a sheet is open, the page below it must not change.
      if (document.querySelector('[role=dialog], dialog[open]') !== null) return
      if (act.current(event)) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return null
}

function done(act: () => unknown): true {
  act()
  return true
}

function focusField(): boolean {
  const fields = Array.from(document.querySelectorAll<HTMLInputElement>('[data-search]'))
  const field = fields.find((one) => one.checkVisibility() && !one.disabled)
  field?.focus()
  field?.select()
  return field !== undefined
}

function turn(on: string, off: string): void {
  const isOff = deviceStorage.getItem(slashOffKey) !== null
  if (isOff) deviceStorage.removeItem(slashOffKey)
  else deviceStorage.setItem(slashOffKey, '1')
  showToast({ tone: 'success', text: isOff ? on : off })
}
