import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import CaretDownIcon from 'virtual:icons/caret-down'
import CheckIcon from 'virtual:icons/check'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { followTasks, restartTasks, type Task, tasksFor, useDoneTasks } from './tasks.ts'

/**
 * The manual's jobs as tasks, in practice companies only. A task is ticked when the clerk has done
 * it in the portal. The list pushes the page down and covers nothing.
 */
export function PracticeTasks(): ReactNode {
  const [open, setOpen] = useState(false)
  const id = useId()
  const tasks = tasksFor(usePermissions())
  const done = useDoneTasks()
  useEffect(followTasks, [])
  const count = tasks.filter((task) => done.includes(task)).length
  const all = tasks.length

  return (
    <section aria-labelledby={id} className="border-b border-line bg-warning-tint px-4 text-ink">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center gap-2 rounded-button text-start text-small"
      >
        <span id={id} className="flex-1 font-medium">
          {count === all ? (
            <Trans id="practice.all">All {all} tasks are done</Trans>
          ) : (
            <Trans id="practice.count">
              Practice tasks: {count} of {all} done
            </Trans>
          )}
        </span>
        <CaretDownIcon size={16} aria-hidden="true" className={open ? 'rotate-180' : ''} />
      </button>
      {open && <TaskList tasks={tasks} done={done} />}
    </section>
  )
}

const circle = 'size-5 shrink-0 rounded-[50%]'

function TaskList({ tasks, done }: { tasks: readonly Task[]; done: readonly string[] }): ReactNode {
  const { t } = useLingui()
  const names = useTaskNames()
  const ticked = t({ id: 'practice.done', message: 'done' })
  return (
    <div className="pb-3">
      <p className="text-small text-ink2">
        <Trans id="practice.cards">
          The members are invented. Their cards have the numbers 9900000010001 to 9900000010024.
          Every code is 123456.
        </Trans>
      </p>
      <ol className="mt-1 grid medium:grid-cols-2 wide:grid-cols-3">
        {tasks.map((task) => (
          <li key={task} className="flex items-center gap-2 text-small">
            {done.includes(task) ? (
              <span className={`${circle} grid place-items-center bg-success text-surface`}>
                <CheckIcon size={14} aria-label={ticked} />
              </span>
            ) : (
              <span className={`${circle} border border-control`} />
            )}
            <Link
              {...paths.manualPage(task)}
              className="flex min-h-11 flex-1 items-center rounded-button underline"
            >
              {names[task]}
            </Link>
          </li>
        ))}
      </ol>
      <Button kind="text" size="small" onClick={restartTasks}>
        <Trans id="practice.again">Start the tasks again</Trans>
      </Button>
    </div>
  )
}

function useTaskNames(): Record<Task, string> {
  const { t } = useLingui()
  return {
    'find-member': t({ id: 'practice.find', message: 'Find a member' }),
    'redeem-coupon': t({ id: 'practice.redeem', message: 'Redeem a coupon' }),
    undo: t({ id: 'practice.undo', message: 'Undo a redemption' }),
    'redeem-several': t({ id: 'practice.several', message: 'Redeem several coupons at once' }),
    'issue-coupon': t({ id: 'practice.issue', message: 'Give a member a coupon' }),
    'spend-points': t({ id: 'practice.points', message: 'Spend points' }),
    register: t({ id: 'practice.register', message: 'Register a new member' }),
    receipts: t({ id: 'practice.receipts', message: 'Look at receipts' }),
    'my-shift': t({ id: 'practice.shift', message: 'See what you did today' }),
  }
}
