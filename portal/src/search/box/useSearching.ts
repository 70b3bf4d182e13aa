import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useOnline } from '../../kit/device/online.ts'
import type { LookUp } from '../../paths.ts'
import { useFindMember, usePeek, useStopPeek } from '../find.ts'
import { usePermissions } from '../../staff/permissions.ts'
import { type Candidates, isName } from '../text/parse.ts'
import { useSearchField } from './useSearchField.ts'

/**
 * The state and the actions of a search: of the page, and of the field in the header.
 * @param given the look-up of the page's address
 * @param onNext called when another text is typed, pasted or scanned
 */
export function useSearching(given: LookUp | null, onNext?: () => void) {
  const field = useSearchField(given)
  const search = useFindMember()
  const stopPeek = useStopPeek()
  const online = useOnline()
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState('')
  const busy = search.isPending

  const mayName = usePermissions().has('homeMemberSearchByName')
  const name = mayName && field.narrow === null && isName(field.text) ? field.text.trim() : null

  const find = (candidates: Candidates, typed: string) => {
    setAsked(typed)
    search.find(candidates, { onFound: field.clear })
  }
  return {
    field,
    search,
    online,
    input,
    /** The text that was searched for, as the clerk typed it. */
    asked,
    busy,
    /** Whether the clerk may search by name. */
    mayName,
    /** The field's text if it is a name that the clerk may search for. */
    name,
    find,
    peek: useCompletePeek(
      field.parsed?.candidates ?? null,
      search.isIdle,
      field.isWhole ? wholeMs : pauseMs,
    ),
    async submit(event: FormEvent) {
      event.preventDefault()
      // The list of names is the answer.
      if (busy || !online || name !== null) return
      const read = await field.read()
      if (typeof read !== 'string') return find(read.candidates, field.text)
      const isShortName = mayName && read === 'anyReq' && field.text.trim() !== ''
      field.setErrorCode(isShortName ? 'nameReq' : read)
      input.current?.focus()
    },
    /** Searches again for every kind, after a narrowed search found no member. */
    async widen() {
      field.choose(null)
      const read = await field.readAll()
      if (read !== null) find(read.candidates, field.text)
    },
    async scan(text: string): Promise<void> {
      search.reset()
      onNext?.()
      const read = await field.scan(text)
      if (read !== null && online) find(read.candidates, text.length > maxShownLength ? '' : text)
    },
    onType: () => {
      search.reset()
      // The next key: the clerk no longer waits for the member of the text before it.
      if (field.parsed !== null) stopPeek(field.parsed.candidates)
      onNext?.()
    },
  }
}

export type Searching = ReturnType<typeof useSearching>

/** A longer text was a whole address; its look-up is shown instead. */
const maxShownLength = 40

const nothing: Candidates = [{ code: '' }]

/**
 * Asks for the member of a complete mobile number while the clerk still types. Other texts have no
 * end that the portal could recognise, so they wait for Enter.
 */
function useCompletePeek(candidates: Candidates | null, isIdle: boolean, waitMs: number) {
  const complete = candidates !== null && isIdle && 'mobile' in candidates[0] ? candidates : null
  const isSettled = useSettled(JSON.stringify(complete), waitMs)
  const { data, error } = usePeek(complete ?? nothing, complete !== null && isSettled)
  if (complete === null) return null
  return { candidates: complete, found: data ?? null, error }
}

/** Each look-up counts and is audited, so a number that may become longer waits for a pause. */
const pauseMs = 250
/** After a whole number, only a correction can follow. */
const wholeMs = 40

/** True once the value has not changed for `waitMs`, so that not every digit causes a request. */
function useSettled(value: string, waitMs: number): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return settled === value
}
