import { useLingui } from '@lingui/react/macro'
import QuestionIcon from 'virtual:icons/question'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { storedKeysRevision } from '../kit/action/action.ts'
import { useSession } from '../kit/call/session.ts'
import { useStore } from '../kit/store/store.ts'
import { membersWithUnanswered } from '../kit/action/keyNames.ts'
import { lookUpIn, paths } from '../paths.ts'

/** Reminds the clerk of unanswered requests for other members, and links to the next one. */
export function UnansweredBar(): ReactNode {
  const { t } = useLingui()
  const clerk = useSession()
  const here = useLocation({ select: ({ search }) => lookUpIn(search) })
  useStore(storedKeysRevision)
  const codes = clerk === null ? [] : membersWithUnanswered(clerk)
  // The pages of the member on screen show their own unanswered requests.
  const elsewhere = codes.filter((code) => here === null || !('code' in here) || here.code !== code)
  const [next] = elsewhere
  const n = String(elsewhere.length)
  return (
    <output className="block">
      {next === undefined ? null : (
        <span
          className={
            'flex flex-wrap items-center justify-center gap-x-3 bg-warning-tint px-4 text-small'
          }
        >
          <span className="flex items-center gap-2">
            <QuestionIcon size={20} aria-hidden="true" className="shrink-0 text-warning" />
            {t({ id: 'una.count', message: `Results to check: ${n}` })}
          </span>
          <Link
            {...paths.memberHome({ code: next })}
            className={
              'inline-flex min-h-11 items-center rounded-button px-2 font-semibold underline'
            }
          >
            {t({ id: 'una.go', message: 'Go to the member' })}
          </Link>
        </span>
      )}
    </output>
  )
}
