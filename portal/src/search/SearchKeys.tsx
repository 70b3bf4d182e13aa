import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { deviceStorage } from '../kit/store/storage.ts'
import { paths } from '../paths.ts'
import { showToast } from '../ui/layer/toastStore.ts'

/** The mark of the fields to which `/` leads. */
export const searchField = { 'data-search': '', 'aria-keyshortcuts': '/' }

const slashOffKey = 'tillside:slash-off'

const takesText =
  'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

/** Back to an empty search; nothing of the member stays in the tab. */
export function useNextCustomer(): () => void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return () => {
    void navigate(paths.memberSearch()).then(() => queries.removeQueries({ queryKey: ['member'] }))
  }
}

/**
 * `/` leads to the search, Alt+N to the next customer. Who speaks to the device says many a slash
 * without meaning one, so Alt+/ switches the bare key off and on (WCAG 2.1.4).
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
      // A sheet asks something; it is answered before the page under it changes.
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
