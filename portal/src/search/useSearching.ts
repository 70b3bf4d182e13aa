import { useSearch } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useOnline } from '../kit/device/online.ts'
import type { ScanHandler } from '../kit/device/scan.ts'
import { isBadLink, type LookUp, lookUpIn } from '../paths.ts'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { type Candidates, useFindMember } from './find.ts'
import { useSearchField } from './useSearchField.ts'

/** The state and the actions of the search page. */
export function useSearching() {
  const { given, bad } = useAddress()
  const field = useSearchField(given)
  const search = useFindMember()
  const online = useOnline()
  const hasKeypad = useMedia(screens.keypad)
  const keypad = hasKeypad && (field.method === 'mobile' || field.method === 'card')
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState('')
  const [noCamera, setNoCamera] = useState<string | null>(null)
  const busy = search.isPending

  useInitialFocus(input, keypad || !hasKeypad)
  useRunOnChange(given, (lookUp) => search.find([lookUp], { replace: true }))

  const find = (candidates: Candidates, typed: string) => {
    setAsked(typed)
    search.find(candidates)
  }
  return {
    field,
    search,
    online,
    keypad,
    input,
    asked,
    noCamera,
    setNoCamera,
    busy,
    bad,
    find,
    async submit(event: FormEvent) {
      event.preventDefault()
      if (busy || !online) return
      const read = await field.read()
      if (typeof read !== 'string') return find(read.candidates, field.text)
      field.setErrorCode(read)
      input.current?.focus()
    },
    hear: (async (text) => {
      if (busy) return true
      search.reset()
      const read = await field.scan(text)
      if (read !== null && online) find(read.candidates, text.length > maxShownLength ? '' : text)
      return true
    }) satisfies ScanHandler,
    onType() {
      search.reset()
      setNoCamera(null)
    },
  }
}

/** A longer text was a whole address; its look-up is shown instead. */
const maxShownLength = 40

/** The look-up in the address; `bad`: the address has one that is invalid. */
function useAddress(): { given: LookUp | null; bad: boolean } {
  const query: Record<string, unknown> = useSearch({ strict: false })
  return { given: lookUpIn(query), bad: isBadLink(query) }
}

/** Runs the address's look-up at once, and again only if it changes. */
function useRunOnChange(given: LookUp | null, find: (lookUp: LookUp) => void) {
  const run = useRef(() => {})
  useEffect(() => {
    run.current = () => given && find(given)
  })
  const named = given === null ? null : JSON.stringify(given)
  useEffect(() => {
    if (named !== null) run.current()
  }, [named])
}

/**
 * Focuses the field, so that a number can be typed right away. Not on wide touch screens without
 * the page's keypad, where the keyboard would cover half the page.
 */
function useInitialFocus(input: RefObject<HTMLInputElement | null>, wanted: boolean) {
  const first = useRef(wanted)
  useEffect(() => {
    if (first.current) input.current?.focus()
  }, [input])
}
