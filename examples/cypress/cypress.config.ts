import { defineConfig } from 'cypress'
import { addWorldTasks } from 'whereabouts/cypress'

export default defineConfig({
  // Worlds are hosts such as http://w-1a2b3c4d.localhost:8080, which only browsers resolve by themselves.
  hosts: { '*.localhost': '127.0.0.1' },
  e2e: {
    baseUrl: 'http://localhost:8080',
    setupNodeEvents: (on, config) => addWorldTasks(on, config),
  },
})
