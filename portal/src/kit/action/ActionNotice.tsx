import { useLingui } from '@lingui/react/macro'
import { Notice } from '../../ui/page/Notice.tsx'
import { useDelayed } from '../../ui/page/useDelayed.ts'
import type { ActionState } from './action.ts'

const longMs = 10_000

export type ActionNoticeProps = {
  state: ActionState<unknown>
  /** The text while the result is unknown. */
  unknown: string
  /** The text while the server has not answered; a general one by default. */
  waiting?: string
  /** The text when it is known that nothing has happened. */
  intact: string
  /** A sentence before the server's reason for a refusal. */
  failed?: string
  /** As in `Notice`. For a request that was sent before this page opened. */
  staysPut?: boolean
}

/** The result of a request, or that it is still unknown. */
export function ActionNotice(props: ActionNoticeProps) {
  const { state, unknown, waiting, intact, failed, staysPut } = props
  const { t } = useLingui()
  const late = useDelayed(state.step === 'sending', longMs)
  const still =
    waiting ??
    t({
      id: 'act.waiting',
      message: "Still waiting for the server. Please don't do it again.",
    })
  if (late) {
    return (
      <Notice tone="warning" staysPut={staysPut}>
        {still}
      </Notice>
    )
  }
  if (state.step === 'refused') {
    return (
      <Notice tone="danger" staysPut={staysPut}>
        {failed === undefined ? null : <strong className="block">{failed}</strong>}
        {state.message}
      </Notice>
    )
  }
  if (state.step === 'unknown') {
    return (
      <Notice tone="warning" staysPut={staysPut}>
        <p>{state.running ? still : unknown}</p>
        {state.reason === undefined ? null : <p className="text-small text-ink2">{state.reason}</p>}
      </Notice>
    )
  }
  if (state.step === 'checked') return <Notice tone="info">{intact}</Notice>
  return null
}
