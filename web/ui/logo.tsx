import { IconMapPin } from '@tabler/icons-react'
import classes from './logo.module.css'

export const Logo = () => (
  <span className={classes.logo} aria-hidden="true">
    <IconMapPin size={22} />
  </span>
)
