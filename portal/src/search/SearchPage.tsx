import { useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { lookUpFields } from '@tillside/contract/member'
import { useOnline } from '../kit/online.ts'
import { type LookUp, lookUpIn } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { PeekCard } from './PeekCard.tsx'
import { SearchInput } from './SearchInput.tsx'
import { SearchResult } from './SearchResult.tsx'
import { methods } from './typed.ts'
import { useFindMember } from '../member/member.ts'
import { useSearchField, useSearchTexts } from './useSearchField.ts'

/** Finds one member in the fewest keystrokes; nobody is opened before the clerk says so. */
export function SearchPage(): ReactNode {
  const { t } = useLingui()
  const { methodNames } = useSearchTexts()
  const { given, bad } = useAddress()
  const field = useSearchField(given)
  const search = useFindMember()
  const online = useOnline()
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState('')
  const busy = search.isPending

  useFocusOnArrival(input)
  useRun(given, (lookUp) => search.find(lookUp, { replace: true }))

  const find = (lookUp: LookUp) => {
    setAsked(field.text)
    search.find(lookUp)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !online) return
    const found = await field.read()
    if (typeof found !== 'string') return find(found)
    field.setTrouble(found)
    input.current?.focus()
  }
  return (
    <PageFrame width="page">
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="mx-auto flex w-full max-w-[40rem] flex-col gap-4"
      >
        <h1 className="text-title">{t({ id: 'search.title', message: 'Find a member' })}</h1>
        <Segmented
          label={t({ id: 'search.by', message: 'Search by' })}
          options={methods.map((value) => ({ value, label: methodNames[value] }))}
          value={field.method}
          onChange={(method) => {
            field.choose(method)
            search.reset()
            requestAnimationFrame(() => input.current?.focus())
          }}
        />
        <div className="flex flex-col gap-3 medium:flex-row medium:items-start">
          <div className="min-w-0 flex-1">
            <SearchInput field={field} input={input} busy={busy} onType={search.reset} />
            <Switched method={field.switched ? methodNames[field.method] : null} />
          </div>
          <div className="order-last flex flex-col medium:order-none medium:pt-1.5">
            <Button
              type="submit"
              kind="filled"
              busy={busy}
              disabled={!online}
              reason={t({ id: 'off.short', message: "You're offline." })}
            >
              {t({ id: 'search.submit', message: 'Search' })}
            </Button>
          </div>
        </div>
        {bad && search.isIdle ? (
          <Notice tone="info">
            {t({
              id: 'search.badLink',
              message: 'The link must contain exactly one member identifier.',
            })}
          </Notice>
        ) : null}
        {field.complete && search.isIdle ? (
          <PeekCard lookUp={field.complete} onOpen={() => field.complete && find(field.complete)} />
        ) : null}
        {busy ? <Skeleton height="4rem" radius="card" /> : null}
        {search.isError ? (
          <SearchResult
            error={search.error}
            lookUp={search.variables}
            typed={asked}
            onAgain={() => find(search.variables)}
          />
        ) : null}
      </form>
    </PageFrame>
  )
}

function Switched({ method }: { method: string | null }) {
  const { t } = useLingui()
  return (
    <output className="block text-small text-ink2">
      {method === null ? null : (
        <span className="mt-1.5 block">
          {t({ id: 'search.switched', message: `Switched to ${method}` })}
        </span>
      )}
    </output>
  )
}

/** The look-up that the address carries; `bad`: it carries one that cannot be run. */
function useAddress(): { given: LookUp | null; bad: boolean } {
  const query: Record<string, unknown> = useSearch({ strict: false })
  const given = lookUpIn(query)
  const named = [...lookUpFields, 'countryCode'].some((name) => query[name] !== undefined)
  return { given, bad: named && given === null }
}

/** What the address asks for runs at once, and again only when it asks for something else. */
function useRun(given: LookUp | null, find: (lookUp: LookUp) => void) {
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
 * A number is typed without a tap before it. Only on a wide touch screen is there none: the
 * keyboard would come up over half the page.
 */
function useFocusOnArrival(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (matchMedia('(pointer: fine), (width < 37.5rem)').matches) input.current?.focus()
  }, [input])
}
