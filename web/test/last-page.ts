/** The page as a test left it, printed when the test fails. */
export const lastPage: { body: Element | null } = { body: null }
