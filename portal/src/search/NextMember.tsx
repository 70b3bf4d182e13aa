import { useLingui } from '@lingui/react/macro'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { type FormEvent, type ReactNode, useState } from 'react'
import { HttpFailure, isCancelled, Refusal } from '../kit/failure.ts'
import { useOnline } from '../kit/online.ts'
import { ignoreComposing } from '../ui/composing.ts'
import { showToast } from '../ui/toastStore.ts'
import { isUnknownMember, useFindMember } from '../member/member.ts'
import { loadPhones, useCallingCode } from '../member/phones.ts'
import { anyLookUp, plainMobile } from './typed.ts'

/** One field for whatever names the next customer; the search page need not be in between. */
export function NextMember(): ReactNode {
  const { t } = useLingui()
  const { callingCode } = useCallingCode()
  const { find, isPending } = useFindMember()
  const online = useOnline()
  const [text, setText] = useState('')
  const label = t({ id: 'home.nextMember', message: 'Next member' })
  const none = t({ id: 'search.none', message: 'No Member Found' })
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending || text.trim() === '') return
    const phones = await loadPhones().catch(() => null)
    const lookUp = anyLookUp(text, (typed) =>
      phones ? phones.read(typed, callingCode) : plainMobile(typed, callingCode),
    )
    if (lookUp === null) return showToast({ tone: 'error', text: none })
    find(lookUp, {
      onFound: () => setText(''),
      onFailed: (error) => {
        if (isCancelled(error)) return
        const said = error instanceof HttpFailure || error instanceof Refusal
        const reason = said ? error.message : failed
        showToast({ tone: 'error', text: isUnknownMember(error) ? none : reason })
      },
    })
  }
  return (
    <search className="hidden expanded:block">
      <form onSubmit={(event) => void submit(event)}>
        <label
          className={
            'field-frame flex h-11 w-72 items-center gap-2 rounded-field border border-control ' +
            'bg-surface ps-3'
          }
        >
          <MagnifyingGlassIcon size={20} className="shrink-0 text-ink2" aria-hidden="true" />
          <span className="sr-only">{label}</span>
          <input
            value={text}
            readOnly={isPending}
            disabled={!online}
            placeholder={label}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            aria-busy={isPending}
            onKeyDown={ignoreComposing}
            onFocus={() => void loadPhones().catch(() => null)}
            onChange={(event) => setText(event.target.value)}
            className="num min-w-0 flex-1 self-stretch bg-transparent pe-3 outline-none"
          />
        </label>
      </form>
    </search>
  )
}
