import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName } from '@tillside/contract/rules/person'
import type { ReactNode } from 'react'
import { useDates, useToday } from '../company/calendar.ts'
import { useTheme } from '../company/company.ts'
import { useSession } from '../kit/call/session.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { PageTitle } from '../kit/page/PageTitle.tsx'
import { useShopClock } from '../kit/text/clock.ts'
import { useLanguage } from '../kit/text/language.ts'
import { type Address, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { PrintButton } from '../ui/paper/PrintButton.tsx'

type ShiftFrameProps<Day> = {
  view: 'own' | 'store'
  /** Reads the present day. */
  read: (signal: AbortSignal) => Promise<Day>
  /** Buttons next to Print. */
  actions?: ReactNode
  children: (day: Day) => ReactNode
}

/** The page of a shift: title, the choice between own and store, and the day once it is read. */
export function ShiftFrame<Day>(props: ShiftFrameProps<Day>): ReactNode {
  const { view, read, actions, children } = props
  const { t } = useLingui()
  const today = useToday()
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['shift', view, today, language],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
  })
  return (
    <ShiftPaper view={view} actions={actions} updatedAt={query.dataUpdatedAt}>
      <AsOf
        updatedAt={query.dataUpdatedAt}
        busy={query.isFetching}
        onRefresh={() => void query.refetch()}
      />
      <Loaded
        query={query}
        name={t({ id: 'shift.list', message: 'Activity' })}
        skeleton={<DaySkeleton />}
      >
        {children}
      </Loaded>
    </ShiftPaper>
  )
}

type ShiftPaperProps = {
  view: 'own' | 'store'
  actions: ReactNode
  /** When the day was read, in ms since 1970. */
  updatedAt: number
  children: ReactNode
}

/** The page as it is printed. */
function ShiftPaper({ view, actions, updatedAt, children }: ShiftPaperProps): ReactNode {
  const { t } = useLingui()
  const clerk = useSession()
  const date = useDates()(useToday())
  const maySeeStore = usePermissions().has('storeShift')
  if (clerk === null) return null
  const own = view === 'own' ? `${fullName(clerk.staff)} · ` : ''
  return (
    <PageFrame width="page">
      <article className="mx-auto flex w-full max-w-[44rem] flex-col gap-4" data-print="">
        <PrintHead />
        <PageTitle
          back={paths.modules()}
          title={
            view === 'own'
              ? t({ id: 'shift.title', message: 'My shift' })
              : t({ id: 'shift.storeTitle', message: 'Shifts of the store' })
          }
          note={`${own}${clerk.store.name} · ${date}`}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
          {maySeeStore ? <ViewLinks view={view} /> : null}
          <div className="flex flex-wrap items-center gap-x-4">
            {actions}
            <PrintButton />
          </div>
        </div>
        {children}
        <PrintFoot updatedAt={updatedAt} />
      </article>
    </PageFrame>
  )
}

function ViewLinks({ view }: { view: 'own' | 'store' }) {
  const { t } = useLingui()
  const label = t({ id: 'shift.views', message: 'Whose shift' })
  return (
    <nav
      aria-label={label}
      className={
        'flex gap-0.5 rounded-button bg-[color-mix(in_srgb,transparent,var(--ink)_6%)] p-0.5'
      }
    >
      <ViewLink to={paths.shift()} current={view === 'own'}>
        {t({ id: 'shift.title', message: 'My shift' })}
      </ViewLink>
      <ViewLink to={paths.storeShift()} current={view === 'store'}>
        {t({ id: 'shift.store', message: 'Whole store' })}
      </ViewLink>
    </nav>
  )
}

type ViewLinkProps = { to: Address; current: boolean; children: ReactNode }

function ViewLink({ to, current, children }: ViewLinkProps) {
  return (
    <Link
      {...to}
      replace
      aria-current={current ? 'page' : undefined}
      className={
        'grid min-h-11 place-items-center rounded-field px-4 text-small no-underline ' +
        (current ? 'bg-overlay font-semibold text-ink' : 'text-ink2')
      }
    >
      {children}
    </Link>
  )
}

/** On paper the page has no header that names the company. */
function PrintHead() {
  const { name } = useTheme()
  return <p className="hidden text-strong print:block">{name}</p>
}

function PrintFoot({ updatedAt }: { updatedAt: number }) {
  const { t } = useLingui()
  const { timeOf } = useShopClock()
  const time = timeOf(updatedAt).slice(0, 5)
  return (
    <div className="mt-8 hidden text-small print:block">
      <p className="num">{t({ id: 'home.asOf', message: `as of ${time}` })}</p>
      <p className="mt-10 w-72 border-t border-ink pt-1">
        {t({ id: 'shift.signature', message: 'Signature' })}
      </p>
    </div>
  )
}

/** The place of a day that is loading. */
function DaySkeleton(): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton height="9rem" />
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
    </div>
  )
}
