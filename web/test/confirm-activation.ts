import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** Confirms that the period of an included subscription starts now. */
export const confirmActivation = async (user: UserEvent) => user.click(await screen.findByRole('button', { name: 'Activate now' }))
