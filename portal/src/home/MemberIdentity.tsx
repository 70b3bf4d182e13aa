import { useLingui } from '@lingui/react/macro'
import ArrowLeftIcon from 'virtual:icons/arrow-left'
import type { Member } from '@tillside/contract/member'
import { useEffect, useRef } from 'react'
import { useDates } from '../company/calendar.ts'
import { formatCode, isZeroDate } from '../kit/text/format.ts'
import { fullName } from '@tillside/contract/rules/person'
import { maskedNumber } from '../kit/text/name.ts'
import { Contact } from '../profile/Contact.tsx'
import { IconButton } from '../ui/page/IconButton.tsx'

/**
 * Marks a masked number as Latin text: in a Chinese font its bullets would be a whole character
 * wide.
 */
const latin = 'en'

/**
 * Keeps the member's name visible on a small screen. On a large one it is the heading of the rail.
 */
export function MemberBar({ member, onBack }: { member: Member; onBack: () => void }) {
  const { t } = useLingui()
  const name = fullName(member)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The focused element was removed with the previous page, so the heading gets the focus and is
    // read out.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div
      className={
        'sticky top-14 z-15 flex min-h-14 items-center gap-1 border-b border-line bg-surface ' +
        'pe-4 expanded:static expanded:min-h-0 expanded:border-0 expanded:p-0 low:top-11'
      }
    >
      <IconButton
        label={t({ id: 'common.back', message: 'Back' })}
        icon={<ArrowLeftIcon size={24} aria-hidden="true" />}
        onClick={onBack}
        className="mx-1 expanded:hidden"
      />
      <h1
        ref={heading}
        tabIndex={-1}
        title={name}
        // The name gives way and wraps: a number that shrinks by a fraction of a pixel loses its
        // last digit. With large letters the number shrinks too; it is shown again below.
        className={
          'line-clamp-2 min-w-16 shrink-[1000000] text-strong break-words expanded:text-title-l'
        }
      >
        {name}
      </h1>
      {member.mobile === null ? null : (
        <span
          lang={latin}
          className="num ms-2 min-w-0 truncate text-small text-ink2 expanded:hidden"
        >
          {maskedNumber(null, member.mobile)}
        </span>
      )}
    </div>
  )
}

/** The member's contact, codes and registration date. */
export function MemberFacts({ member }: { member: Member }) {
  const { t } = useLingui()
  const date = useDates()(member.registrationDate)
  return (
    <div className="num flex flex-col text-small text-ink2">
      <p className="flex min-h-11 flex-wrap items-center gap-x-2">
        <MainContact member={member} />
        <span>{member.memberCode}</span>
      </p>
      <p className="flex flex-wrap gap-x-4">
        <span>{formatCode(member.cardNumber)}</span>
        <span className={isZeroDate(member.registrationDate) ? 'text-ink3' : ''}>
          {t({ id: 'home.since', message: `Member since ${date}` })}
        </span>
      </p>
    </div>
  )
}

/** The member's mobile number, or the e-mail address if there is none. */
function MainContact({ member }: { member: Member }) {
  if (member.mobile !== null) return <Contact member={member} field="mobile" />
  if (member.email !== null) return <Contact member={member} field="email" />
  return null
}
