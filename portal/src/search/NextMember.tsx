import { useLingui } from '@lingui/react/macro'
import MagnifyingGlassIcon from 'virtual:icons/magnifying-glass'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { ScanButton } from '../camera/ScanButton.tsx'
import { ScanIcon } from '../camera/ScanIcon.tsx'
import { isCancelled, reasonOf } from '../kit/call/failure.ts'
import { useOnline } from '../kit/device/online.ts'
import { takesScans } from '../kit/device/scan.ts'
import { loadPhones } from '../member/phones.ts'
import { paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { ignoreComposing } from '../ui/field/composing.ts'
import { IconButton } from '../ui/page/IconButton.tsx'
import { showToast } from '../ui/layer/toastStore.ts'
import { isNotFound, useFindMember, useParse } from './find.ts'
import { searchField } from './SearchKeys.tsx'
import { isReadable } from './parse.ts'

/**
 * The search for the next customer on every member page: a field where there is room, and the
 * camera.
 */
export function NextMember(): ReactNode {
  const { t } = useLingui()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const scan = t({ id: 'search.scan', message: 'Scan' })
  if (!usePermissions().has('scanQrCode')) return <Field field={field} scan={null} />
  return (
    <ScanButton
      reads={isReadable}
      onManual={() => {
        if (field.current?.checkVisibility() === true) field.current.focus()
        else void navigate(paths.memberSearch())
      }}
    >
      {(open) => (
        <>
          <Field field={field} scan={<IconButton {...open} label={scan} icon={<ScanIcon />} />} />
          <IconButton {...open} label={scan} icon={<ScanIcon />} className="expanded:hidden" />
        </>
      )}
    </ScanButton>
  )
}

type FieldProps = { field: RefObject<HTMLInputElement | null>; scan: ReactNode }

/** A field that accepts any look-up, so that the clerk need not go back to the search page. */
function Field({ field, scan }: FieldProps) {
  const { t } = useLingui()
  const understand = useParse()
  const { find, isPending } = useFindMember()
  const online = useOnline()
  const [text, setText] = useState('')
  const label = t({ id: 'home.nextMember', message: 'Next member' })
  const none = t({ id: 'search.none', message: 'No Member Found' })
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending || text.trim() === '') return
    const read = await understand(text)
    if (read === null) return showToast({ tone: 'error', text: none })
    find(read.candidates, {
      onFound: () => setText(''),
      onFailed: (error) => {
        if (isCancelled(error)) return
        const reason = isNotFound(error) ? none : reasonOf(error)
        showToast({ tone: 'error', text: reason ?? failed })
      },
    })
  }
  return (
    <search className="hidden expanded:block">
      <form
        onSubmit={(event) => void submit(event)}
        className={
          'field-frame flex h-11 w-72 items-center rounded-field border border-control bg-surface'
        }
      >
        <label className="flex min-w-0 flex-1 items-center gap-2 self-stretch ps-3">
          <MagnifyingGlassIcon size={20} className="shrink-0 text-ink2" aria-hidden="true" />
          <span className="sr-only">{label}</span>
          <input
            ref={field}
            {...takesScans}
            {...searchField}
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
        {scan}
      </form>
    </search>
  )
}
