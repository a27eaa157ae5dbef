import { addWorldCommands } from 'whereabouts/cypress'

addWorldCommands()
