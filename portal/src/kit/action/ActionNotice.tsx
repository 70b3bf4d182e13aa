import { useLingui } from '@lingui/react/macro'
import { Notice } from '../../ui/page/Notice.tsx'
import { useDelayed } from '../../ui/page/useDelayed.ts'
import type { ActionState } from './action.ts'

const longMs = 10_000

type ActionNoticeProps = {
  state: ActionState<unknown>
  /** The text while the result is unknown. */
  unknown: string
  /** The text while the server has not answered; a general one by default. */
  waiting?: string
  /** The text when it is known that nothing has happened. */
  intact: string
  /** A sentence before the server's reason for a refusal. */
  failed?: string
}

/** The result of a request, or that it is still unknown. */
export function ActionNotice({ state, unknown, waiting, intact, failed }: ActionNoticeProps) {
  const { t } = useLingui()
  const late = useDelayed(state.step === 'sending', longMs)
  const still =
    waiting ??
    t({
      id: 'act.waiting',
      message: "Still waiting for the server. Please don't do it again.",
    })
  if (late) return <Notice tone="warning">{still}</Notice>
  if (state.step === 'refused') {
    return (
      <Notice tone="danger">
        {failed === undefined ? null : <strong className="block">{failed}</strong>}
        {state.message}
      </Notice>
    )
  }
  if (state.step === 'unknown') {
    return (
      <Notice tone="warning">
        <p>{state.running ? still : unknown}</p>
        {state.reason === undefined ? null : <p className="text-small text-ink2">{state.reason}</p>}
      </Notice>
    )
  }
  if (state.step === 'checked') return <Notice tone="info">{intact}</Notice>
  return null
}
