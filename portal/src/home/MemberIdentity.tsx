import { useLingui } from '@lingui/react/macro'
import ArrowLeftIcon from 'virtual:icons/arrow-left'
import type { Member } from '@tillside/contract/member'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { useEffect, useRef } from 'react'
import { useDates } from '../company/calendar.ts'
import { formatCode, isZeroDate } from '../kit/text/format.ts'
import { fullName } from '@tillside/contract/rules/person'
import { maskedNumber } from '../kit/text/name.ts'
import { Contact } from '../profile/Contact.tsx'
import { NextScan } from '../search/NextMember.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { IconButton } from '../ui/page/IconButton.tsx'
import { LongName } from './LongName.tsx'

/**
 * Marks a masked number as Latin text: in a Chinese font its bullets would be a whole character
 * wide.
 */
const latin = 'en'

type MemberBarProps = {
  member: Member
  /** Goes to an empty search. */
  onLeave: () => void
}

/**
 * Keeps the member's name visible on a small screen, and is the only bar of a phone. On a large
 * screen it is the heading of the rail.
 */
export function MemberBar({ member, onLeave }: MemberBarProps) {
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
        'member-bar sticky top-14 z-15 flex min-h-14 flex-wrap items-center border-b border-line ' +
        'bg-surface pe-1 ' +
        'max-medium:top-0 medium:pe-4 expanded:static expanded:min-h-0 expanded:shrink-0 ' +
        'expanded:border-0 ' +
        'expanded:p-0 low:top-11 narrow:static'
      }
    >
      <IconButton
        label={t({ id: 'common.back', message: 'Back' })}
        icon={<ArrowLeftIcon size={24} aria-hidden="true" />}
        onClick={onLeave}
        className="mx-1 expanded:hidden"
      />
      {/* The digits go to a line of their own where the name needs the room. */}
      <div className="flex min-w-[5.5rem] flex-1 flex-wrap items-baseline gap-x-2">
        <LongName heading={heading} name={name} />
        {member.mobile === null ? null : (
          <span lang={latin} className="num text-small text-ink2 expanded:hidden">
            {maskedNumber(null, member.mobile)}
          </span>
        )}
      </div>
      <span className="ms-auto flex shrink-0 medium:hidden">
        <NextScan />
        <IconButton
          label={t({ id: 'home.next', message: 'Next customer' })}
          icon={<UserSwitchIcon size={24} aria-hidden="true" />}
          onClick={onLeave}
        />
      </span>
    </div>
  )
}

/** The member's contact, codes and registration date; a phone has the rest of them elsewhere. */
export function MemberFacts({ member }: { member: Member }) {
  const isPhone = !useMedia(screens.medium)
  return (
    <div className="num flex flex-col text-small text-ink2">
      <p className="flex min-h-11 flex-wrap items-center gap-x-2">
        <MainContact member={member} />
        <span>{member.memberCode}</span>
      </p>
      {isPhone ? null : <CardFacts member={member} />}
    </div>
  )
}

/** The same facts below a phone's overview, so that the first coupon is within reach. */
export function FactsBelow({ member }: { member: Member }) {
  if (useMedia(screens.medium)) return null
  return (
    <div className="num text-small text-ink2">
      <CardFacts member={member} />
    </div>
  )
}

function CardFacts({ member }: { member: Member }) {
  const { t } = useLingui()
  const date = useDates()(member.registrationDate)
  return (
    <p className="flex flex-wrap gap-x-4">
      <span>{formatCode(member.cardNumber)}</span>
      <span className={isZeroDate(member.registrationDate) ? 'text-ink3' : ''}>
        {t({ id: 'home.since', message: `Member since ${date}` })}
      </span>
    </p>
  )
}

/** The member's mobile number, or the e-mail address if there is none. */
function MainContact({ member }: { member: Member }) {
  if (member.mobile !== null) return <Contact member={member} field="mobile" />
  if (member.email !== null) return <Contact member={member} field="email" />
  return null
}
