const REX = 1
const MISTY = 2

it('Alice sees her eighteen trackers', () => {
  // Each test makes its own world; Alice is signed in without the form.
  cy.world()
  cy.visitWorld('/', 'alice')
  cy.contains('h1, h2', 'Trackers').should('contain.text', '18')
})

it('an ended subscription offers its owner to renew it', () => {
  cy.world({ scenario: 'expiring' })
  cy.visitWorld('/subscriptionSelector', 'alice')
  cy.contains('li', 'Misty').should('contain.text', 'Active until')
  // Moves server and page to the end of the subscription and runs every job due before.
  cy.advanceWorldUntil('subscription_end')
  cy.reload()
  cy.contains('li', 'Misty').should('contain.text', 'Ended on')
})

it('a declined card buys nothing, another card pays', () => {
  cy.world()
  cy.visitWorld('/subscription?devices=2.eur-12m-once', 'alice')
  cy.contains('button', 'Pay by card').click()
  cy.payCheckout('declined').its('outcome').should('equal', 'refused')
  cy.payCheckout('success')
  cy.contains('Thank you, your payment has arrived')
  cy.worldApi('alice', 'subscriptions.list').then((subscriptions) => {
    const misty = subscriptions.find(({ device }) => device === MISTY)
    expect(misty?.sub_end_date).to.match(/^2027-03-14/)
  })
})

it('a forgotten password is reset with the link of a mail', () => {
  cy.world().then(({ personas }) => {
    const email = personas.find(({ key }) => key === 'zoe')?.email ?? ''
    cy.visitWorld('/login?view=reset_password')
    cy.get('input[type=email]').type(email)
    cy.contains('button', 'Send').click()
    cy.mailLink(email, 'password_reset').then((link) => cy.visitWorld(link))
    cy.contains('label', 'New password')
  })
})

it('a friend gets a mail when a dog leaves home', () => {
  cy.world()
  cy.visitWorld('/trackers/1', 'alice')
  cy.contains('h1, h2', 'Rex')
  cy.control('sim.position', { params: { id: REX }, body: { lat: -34.9055, lng: -56.1913 } })
  cy.worldMail({ to: 'bob@example.net', template: 'place_alert' }).its('message.subject').should('contain', 'Rex')
})

it('the page says so when the places cannot be read', () => {
  cy.world()
  cy.worldFault({ effect: 'status', status: 503, match: { route: 'places.list' } })
  cy.visitWorld('/places', 'alice')
  cy.get('[role=alert]')
})
