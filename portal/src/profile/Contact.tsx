import { useLingui } from '@lingui/react/macro'
import EyeIcon from 'virtual:icons/eye'
import EyeSlashIcon from 'virtual:icons/eye-slash'
import { type Member, revealContact } from '@tillside/contract/member'
import { useEffect, useState } from 'react'
import { call } from '../kit/call/call.ts'
import { isCancelled, reasonOf } from '../kit/call/failure.ts'
import { maskedEmail } from '@tillside/contract/rules/person'
import { maskedNumber } from '../kit/text/name.ts'
import { loadPhones } from '../member/phones.ts'
import { IconButton } from '../ui/page/IconButton.tsx'
import { showToast } from '../ui/layer/toastStore.ts'

/**
 * Marks a masked value as Latin text: in a Chinese font its bullets would be a whole character
 * wide.
 */
const latin = 'en'

const shownForMs = 10_000

type ContactProps = { member: Member; field: 'mobile' | 'email' }

/**
 * A contact, masked because customers can see the screen. On request it is shown for ten seconds,
 * which the server records.
 */
export function Contact({ member, field }: ContactProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })
  useEffect(() => {
    if (shown === null) return undefined
    const timer = setTimeout(() => setShown(null), shownForMs)
    return () => clearTimeout(timer)
  }, [shown])
  const masked = maskedOf(member, field)
  if (masked === null) return null

  const reveal = async () => {
    setBusy(true)
    try {
      setShown(await revealedText(member, field))
    } catch (error) {
      if (!isCancelled(error)) showToast({ tone: 'error', text: reasonOf(error) ?? failed })
    } finally {
      setBusy(false)
    }
  }
  const Icon = shown === null ? EyeIcon : EyeSlashIcon
  const [show, hide] =
    field === 'mobile'
      ? [
          t({ id: 'home.reveal', message: 'Show number' }),
          t({ id: 'home.hide', message: 'Hide number' }),
        ]
      : [
          t({ id: 'home.revealEmail', message: 'Show email' }),
          t({ id: 'home.hideEmail', message: 'Hide email' }),
        ]
  return (
    <span className="flex min-w-0 items-center">
      <span lang={latin} className="num min-w-0 break-words">
        {shown ?? masked}
      </span>
      <IconButton
        label={shown === null ? show : hide}
        icon={<Icon size={20} aria-hidden="true" />}
        aria-busy={busy}
        onClick={() => {
          if (shown !== null) setShown(null)
          else if (!busy) void reveal()
        }}
        className="text-ink2"
      />
    </span>
  )
}

function maskedOf({ countryCode, mobile, email }: Member, field: 'mobile' | 'email') {
  if (field === 'email') return email === null ? null : maskedEmail(email)
  return mobile === null ? null : maskedNumber(countryCode, mobile)
}

/** The unmasked contact; a phone number in its country's groups. */
async function revealedText(member: Member, field: 'mobile' | 'email'): Promise<string | null> {
  const { memberCode, countryCode } = member
  const [{ value }, phones] = await Promise.all([
    call(revealContact, { memberCode, field }, { quiet: true }),
    field === 'mobile' ? loadPhones().catch(() => null) : null,
  ])
  if (value === null || field === 'email' || countryCode === null) return value
  return `+${countryCode} ${phones ? phones.grouped(value, countryCode) : value}`
}
