import type { Icon } from '@tabler/icons-react'
import type { Ref } from 'react'
import { Link } from 'react-router-dom'
import classes from './icon-button.module.css'

type Props = { label: string; of?: string; Icon: Icon } & ({ onClick: () => void; ref?: Ref<HTMLButtonElement> } | { to: string })

/** An icon as a button or link of touch size. `of` is appended to its accessible name. */
export function IconButton({ label, of, Icon: Sign, ...does }: Props) {
  const common = {
    className: classes.button,
    'aria-label': of ? `${label}: ${of}` : label,
    title: label,
    children: <Sign size={20} aria-hidden="true" />,
  }
  return 'to' in does ? <Link to={does.to} {...common} /> : <button type="button" ref={does.ref} onClick={does.onClick} {...common} />
}
