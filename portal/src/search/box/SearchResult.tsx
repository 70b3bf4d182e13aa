import { useLingui } from '@lingui/react/macro'
import UserPlusIcon from 'virtual:icons/user-plus'
import { Link } from '@tanstack/react-router'
import { isCancelled } from '../../kit/call/failure.ts'
import { LoadFailed } from '../../kit/page/LoadFailed.tsx'
import { type LookUp, paths } from '../../paths.ts'
import { usePermissions } from '../../staff/permissions.ts'
import { Button } from '../../ui/page/Button.tsx'
import { buttonClass } from '../../ui/page/buttonClass.ts'
import { isNotFound, useAskable } from '../find.ts'
import { maskedLookUp } from '../recent/maskedLookUp.ts'
import { type Candidates, kindOf } from '../text/parse.ts'
import { useSearchTexts } from '../useSearchTexts.ts'

type SearchResultProps = {
  error: Error
  candidates: Candidates
  /** The text as typed, so that the clerk can read it to the customer. */
  typed: string
  onAgain: () => void
  /** Searches for every kind; null if every kind was searched for. */
  onWiden: (() => void) | null
}

/** Why no member was opened, and what the clerk can do. */
export function SearchResult({ error, candidates, typed, onAgain, onWiden }: SearchResultProps) {
  const { t } = useLingui()
  if (isCancelled(error)) return null
  if (isNotFound(error)) return <NotFound {...{ candidates, typed, onWiden }} />
  return (
    <LoadFailed error={error} onAgain={onAgain}>
      {t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}
    </LoadFailed>
  )
}

type NotFoundProps = Pick<SearchResultProps, 'candidates' | 'typed' | 'onWiden'>

function NotFound({ candidates, typed, onWiden }: NotFoundProps) {
  const { t } = useLingui()
  const { kinds } = useSearchTexts()
  const mayRegister = usePermissions().has('register')
  const asked = useAskable()(candidates)
  const names = [...new Set(asked.map((one) => kinds[kindOf(one)]))].join(' · ')
  return (
    <div role="alert" className="rounded-card border border-line bg-surface px-5 py-4">
      <h2 className="text-strong">{t({ id: 'search.none', message: 'No Member Found' })}</h2>
      <p className="num mt-1 flex min-w-0">
        <MiddleEllipsis text={typed || maskedLookUp(candidates[0])} />
      </p>
      <p className="mt-2 text-small text-ink2">
        {t({ id: 'search.askedAs', message: `Searched by: ${names}` })}
      </p>
      <p className="mt-1 text-small text-ink2">
        {mayRegister
          ? t({
              id: 'search.noneHint',
              message: 'Check the number with the customer, or register it now.',
            })
          : t({ id: 'search.noneCheck', message: 'Check with the customer that it is correct.' })}
      </p>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {onWiden === null ? null : (
          <Button kind="outlined" size="small" onClick={onWiden}>
            {t({ id: 'search.widen', message: 'Search every kind' })}
          </Button>
        )}
        <RegisterThis candidates={candidates} />
      </div>
    </div>
  )
}

/** Carries a number or an address into the form's field for it; a code has no field there. */
export function RegisterThis({ candidates }: { candidates: Candidates }) {
  const { t } = useLingui()
  const carried = carriedIn(candidates)
  if (!usePermissions().has('register') || carried === null) return null
  return (
    <Link {...paths.memberRegister(carried)} className={buttonClass('tonal', 'small')}>
      <UserPlusIcon size={20} aria-hidden="true" />
      {'email' in carried
        ? t({ id: 'search.registerEmail', message: 'Register this email' })
        : t({ id: 'search.registerThis', message: 'Register this number' })}
    </Link>
  )
}

function carriedIn(candidates: Candidates): LookUp | null {
  for (const one of candidates) if ('mobile' in one || 'email' in one) return one
  return null
}

/** Shortens a text in the middle, because the ends of an address are easier to recognise. */
function MiddleEllipsis({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  const split = at > 0 ? at : Math.max(0, text.length - 8)
  return (
    <>
      <span className="truncate whitespace-pre">{text.slice(0, split)}</span>
      <span className="max-w-2/3 shrink-0 truncate whitespace-pre">{text.slice(split)}</span>
    </>
  )
}
