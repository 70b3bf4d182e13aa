import WarningCircleIcon from 'virtual:icons/warning-circle'

/** What is wrong with a field and what to do; stands under it until it is put right. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-small text-danger">
      <WarningCircleIcon size="1.25em" className="mt-[0.1em] shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}
