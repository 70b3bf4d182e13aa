import { Trans, useLingui } from '@lingui/react/macro'
import CaretRightIcon from 'virtual:icons/caret-right'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type NameMatch, searchByName } from '@tillside/contract/member'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../kit/call/call.ts'
import { LoadFailed } from '../../kit/page/LoadFailed.tsx'
import { languageOf } from '../../kit/text/name.ts'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/page/Skeleton.tsx'

/** Each search is written to the audit log, so it waits until the clerk has stopped typing; ms. */
const pauseMs = 400

/**
 * The members whose name begins with the field's text, masked, for a clerk who may search by name.
 * None opens by itself.
 */
export function NameMatches({ name, onOpen }: { name: string; onOpen: () => void }): ReactNode {
  const { t } = useLingui()
  const settled = useSettled(name)
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['member', 'names', settled],
    queryFn: () => call(searchByName, { name: settled }, { quiet: true }),
    enabled: settled === name,
    retry: false,
  })
  const label = t({ id: 'search.names', message: 'Members with this name' })
  if (isError) {
    return (
      <LoadFailed error={error} onAgain={() => void refetch()}>
        {t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}
      </LoadFailed>
    )
  }
  if (data === undefined || settled !== name) return <Skeleton height="4rem" radius="card" />
  return (
    <section aria-label={label} className="mt-3 flex flex-col gap-2">
      <output className="block text-small text-ink2 empty:hidden">
        {data.items.length === 0 ? (
          <Trans id="search.nameNone">No member’s name begins like this.</Trans>
        ) : data.more ? (
          <Trans id="search.nameMore">There are more members. Type more of the name.</Trans>
        ) : null}
      </output>
      <ul className="flex flex-col gap-2 empty:hidden">
        {data.items.map((match) => (
          <li key={match.memberCode}>
            <Match {...match} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Match({ memberCode, name, countryCode, mobile, onOpen }: NameMatch & OnOpen) {
  const { t } = useLingui()
  return (
    <Link
      {...paths.memberHome({ code: memberCode })}
      preload={false}
      onClick={onOpen}
      className={
        'flex min-h-14 items-center gap-3 rounded-card border border-line bg-surface py-2 ps-5 ' +
        'pe-4 transition-colors duration-[120ms] hover:bg-raised'
      }
    >
      <span className="min-w-0 flex-1">
        <span lang={languageOf(name)} className="block text-strong">
          {name}
        </span>
        <span className="num flex flex-wrap gap-x-4 text-small text-ink2">
          {mobile === null ? null : <span>{`+${countryCode} ${mobile}`}</span>}
          <span>{memberCode}</span>
        </span>
      </span>
      <span className="flex items-center gap-1 font-semibold text-brand-text">
        {t({ id: 'search.open', message: 'Open' })}
        <CaretRightIcon size={20} aria-hidden="true" />
      </span>
    </Link>
  )
}

type OnOpen = { onOpen: () => void }

/** The text, once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
