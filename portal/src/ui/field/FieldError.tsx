import WarningCircleIcon from 'virtual:icons/warning-circle'

/** The error of a field and how to correct it, shown below the field. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-small text-danger">
      <WarningCircleIcon size="1.25em" className="mt-[0.1em] shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}
