import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { isCancelled } from '../kit/call/failure.ts'
import { LoadFailed } from '../kit/page/LoadFailed.tsx'
import { maskedEmail } from '@tillside/contract/rules/person'
import { maskedNumber } from '../kit/text/name.ts'
import { type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { type Candidates, isNotFound } from './find.ts'
import type { Candidate } from './parse.ts'

type SearchResultProps = {
  error: Error
  candidates: Candidates
  /** The text as typed, so that the clerk can read it to the customer. */
  typed: string
  onAgain: () => void
}

/** Why no member was opened, and what the clerk can do. */
export function SearchResult({ error, candidates: [first], typed, onAgain }: SearchResultProps) {
  const { t } = useLingui()
  const mayRegister = usePermissions().has('register')
  if (isCancelled(error)) return null
  if (isNotFound(error)) {
    const carried = registerLookUp(first)
    return (
      <div role="alert" className="rounded-card border border-line bg-surface px-5 py-4">
        <h2 className="text-strong">{t({ id: 'search.none', message: 'No Member Found' })}</h2>
        <p className="num mt-1 flex min-w-0">
          <MiddleEllipsis text={typed || maskedLookUp(first)} />
        </p>
        <p className="mt-2 text-small text-ink2">
          {mayRegister
            ? t({
                id: 'search.noneHint',
                message: 'Check the number with the customer, or register it now.',
              })
            : t({ id: 'search.noneCheck', message: 'Check with the customer that it is correct.' })}
        </p>
        {mayRegister && carried !== null ? (
          <Link
            {...paths.memberRegister(carried)}
            className={`${buttonClass('tonal', 'small')} mt-3`}
          >
            {t({ id: 'search.registerThis', message: 'Register this number' })}
          </Link>
        ) : null}
      </div>
    )
  }
  return (
    <LoadFailed error={error} onAgain={onAgain}>
      {t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}
    </LoadFailed>
  )
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

/** The look-up, if the registration form has a field for it. */
function registerLookUp(ask: Candidate): LookUp | null {
  return 'mobile' in ask || 'email' in ask || 'cardNumber' in ask ? ask : null
}

/** A look-up, masked because customers can see the screen. */
export function maskedLookUp(ask: Candidate): string {
  if ('mobile' in ask) return maskedNumber(ask.countryCode, ask.mobile)
  if ('email' in ask) return maskedEmail(ask.email)
  if ('cardNumber' in ask) return maskedNumber(null, ask.cardNumber)
  if ('code' in ask) return maskedNumber(null, ask.code)
  return maskedNumber(null, 'coupon' in ask ? ask.coupon : ask.uniCustomerNo)
}
