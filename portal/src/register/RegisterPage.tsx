import { useLingui } from '@lingui/react/macro'
import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage } from '../kit/language.ts'
import { useSession } from '../kit/session.ts'
import { type LookUp, lookUpIn, paths } from '../paths.ts'
import { RegisterForm } from './RegisterForm.tsx'
import { Registered } from './Registered.tsx'
import { registerConfigQuery, unansweredRegistrations } from './registration.ts'
import { Unanswered } from './Unanswered.tsx'

/** Makes a member out of a customer at the counter. */
export function RegisterPage(): ReactNode {
  const given = useGiven()
  const clerk = useSession()
  const [round, setRound] = useState(0)
  const [made, setMade] = useState<Member | null>(null)
  // What this page itself sends is told by its form.
  const [left] = useState(() => (clerk ? unansweredRegistrations(clerk) : []))
  const config = useQuery({
    ...registerConfigQuery(useLanguage()),
    placeholderData: keepPreviousData,
  })
  if (made !== null) {
    const another = () => {
      setRound(round + 1)
      setMade(null)
    }
    return <Registered member={made} onAnother={another} />
  }
  return (
    <main className="flex flex-1 flex-col">
      <Title />
      {left.map((subject) => (
        <Unanswered key={subject} subject={subject} onMade={setMade} />
      ))}
      <RegisterForm
        key={round}
        config={{
          data: config.data,
          failed: config.isError,
          again: () => void config.refetch(),
        }}
        given={round === 0 ? given : null}
        onMade={setMade}
      />
    </main>
  )
}

function Title() {
  const { t } = useLingui()
  return (
    <div
      className={
        'mx-auto flex min-h-14 w-full max-w-[60rem] items-center gap-1 pe-4 ' +
        'medium:px-3 medium:pt-3'
      }
    >
      <Link
        {...paths.memberSearch()}
        aria-label={t({ id: 'common.back', message: 'Back' })}
        className="mx-1 grid size-12 shrink-0 place-items-center rounded-button text-ink"
      >
        <ArrowLeftIcon size={24} aria-hidden="true" />
      </Link>
      <h1 className="text-title">{t({ id: 'reg.title', message: 'New member' })}</h1>
    </div>
  )
}

/** What the search had already; it leaves the address as soon as it has been read. */
function useGiven(): LookUp | null {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [given] = useState(() => lookUpIn(search))
  const isClean = Object.keys(search).length === 0
  useEffect(() => {
    if (!isClean) void navigate({ ...paths.memberRegister(), replace: true })
  }, [isClean, navigate])
  return given
}
