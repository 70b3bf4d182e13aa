import { useLingui } from '@lingui/react/macro'
import { Notice } from '../../ui/page/Notice.tsx'
import { useDelayed } from '../../ui/page/useDelayed.ts'
import type { ActionState } from './action.ts'

const long = 10_000

type ActionNoticeProps = {
  state: ActionState<unknown>
  /** What to say while nobody knows whether it has happened. */
  unknown: string
  /** What to say while no answer comes, where the act has a name of its own. */
  waiting?: string
  /** What to say once it is known that it has not. */
  intact: string
  /** What did not happen, before the server's reason. */
  failed?: string
}

/** What the clerk must know about an answer, or about the lack of one. */
export function ActionNotice({ state, unknown, waiting, intact, failed }: ActionNoticeProps) {
  const { t } = useLingui()
  const late = useDelayed(state.step === 'sending', long)
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
    return <Notice tone="warning">{state.running ? still : unknown}</Notice>
  }
  if (state.step === 'checked') return <Notice tone="info">{intact}</Notice>
  return null
}
