import { useLingui } from '@lingui/react/macro'
import { HttpFailure, isCancelled, Refusal } from '../kit/failure.ts'
import { maskedEmail, maskedMobile } from '../kit/name.ts'
import type { LookUp } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { isUnknownMember } from '../member/member.ts'

type SearchResultProps = {
  error: Error
  lookUp: LookUp
  /** As the clerk wrote it, to be read out to the customer. */
  typed: string
  onAgain: () => void
}

/** Why nobody was opened, and what can be done about it. */
export function SearchResult({ error, lookUp, typed, onAgain }: SearchResultProps) {
  const { t } = useLingui()
  if (isCancelled(error)) return null
  if (isUnknownMember(error)) {
    return (
      <div role="alert" className="rounded-card border border-line bg-surface px-5 py-4">
        <h2 className="text-strong">{t({ id: 'search.none', message: 'No Member Found' })}</h2>
        <p className="num mt-1 break-words">{typed || hidden(lookUp)}</p>
        <p className="mt-2 text-small text-ink2">
          {t({ id: 'search.noneCheck', message: 'Check the number with the customer.' })}
        </p>
      </div>
    )
  }
  return (
    <Notice
      tone="danger"
      action={
        <Button kind="outlined" size="small" onClick={onAgain}>
          {t({ id: 'common.retry', message: 'Try again' })}
        </Button>
      }
    >
      <p>{t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}</p>
      {error instanceof HttpFailure || error instanceof Refusal ? (
        <p className="text-small text-ink2">{error.message}</p>
      ) : null}
    </Notice>
  )
}

/** A look-up that came with the address was typed by nobody, so it is not shown in full. */
function hidden(lookUp: LookUp): string {
  if ('mobile' in lookUp) return maskedMobile(lookUp.countryCode, lookUp.mobile)
  if ('email' in lookUp) return maskedEmail(lookUp.email)
  if ('code' in lookUp) return lookUp.code
  return maskedMobile(null, 'cardNumber' in lookUp ? lookUp.cardNumber : lookUp.uniCustomerNo)
}
