import type { PageTexts } from './page-texts.ts';

export const de: PageTexts = {
  unknownApp: 'der vorherigen App',
  back: 'Zurück zu {app}',
  reference: 'Brauchen Sie Hilfe? Nennen Sie diese Referenz:',
  operator: {
    by: 'Dieser Dienst wird betrieben von {operator}.',
    contact: 'Kontakt',
    privacy: 'Datenschutzerklärung',
    terms: 'Nutzungsbedingungen',
  },
  connect: { headline: 'Konto verbinden', nothing: 'Es wurde nichts verbunden.', doing: 'Verbinden eines Kontos' },
  identity: { headline: 'Anmelden', nothing: 'Sie wurden nicht angemeldet.', doing: 'Anmelden' },
  onward: { title: 'Einen Moment', link: 'Weiter' },
  refusals: {
    wrongMethod: {
      title: 'Diese Seite lässt sich nicht direkt öffnen',
      what: 'Diese Adresse ist ein Schritt beim {doing}. Allein funktioniert sie nicht.',
      todo: 'Gehen Sie zu {app} und beginnen Sie dort.',
    },
    wrongForm: {
      title: 'Dieser Link ist unvollständig',
      what: 'Wir konnten die Anfrage nicht lesen, mit der Sie hierhergekommen sind. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    formTooLarge: {
      title: 'Dieser Link ist unvollständig',
      what: 'Wir konnten die Anfrage nicht lesen, mit der Sie hierhergekommen sind. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    launchUnknown: {
      title: 'Dieser Link funktioniert nicht',
      what: 'Der Link ist vielleicht unvollständig oder zu alt. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    launchUsed: {
      title: 'Dieser Link wurde schon benutzt',
      what: 'Jeder Link funktioniert einmal, und dieser wurde schon geöffnet, vielleicht durch einen zweiten Klick. Wenn die nächste Seite in einem anderen Tab offen ist, machen Sie dort weiter.',
      todo: 'Gehen Sie sonst zurück zu {app} und beginnen Sie von vorn.',
    },
    launchExpired: {
      title: 'Dieser Link ist abgelaufen',
      what: 'Er war zehn Minuten gültig. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    wrongOrigin: {
      title: 'Wir haben diese Anfrage gestoppt',
      what: 'Die Seite, die sie gesendet hat, gehört nicht zu {app}. {nothing}',
      todo: 'Wenn Sie das tun wollten, beginnen Sie selbst in {app}.',
    },
    framed: {
      title: 'Dieser Schritt braucht das ganze Fenster',
      what: 'Die Seite, von der Sie kommen, liegt in einer anderen Seite. {nothing}',
      todo: 'Öffnen Sie {app} in einem eigenen Fenster und beginnen Sie dort.',
    },
    notNavigation: {
      title: 'Dieser Schritt braucht eine eigene Seite',
      what: 'Die Anfrage kam nicht von einer Seite, die Sie geöffnet haben. {nothing}',
      todo: 'Gehen Sie zu {app} und beginnen Sie von vorn.',
    },
    notAllowed: {
      title: 'Das ist nicht mehr möglich',
      what: 'Die Einstellungen von {app} haben sich geändert, seit Sie begonnen haben. {nothing}',
      todo: 'Gehen Sie zurück zu {app}. Dort sehen Sie, was möglich ist.',
    },
    paused: {
      title: 'Das Verbinden ist angehalten',
      what: 'Sie können auf dieser Plattform zurzeit keine Konten verbinden. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und versuchen Sie es später noch einmal.',
    },
    disconnecting: {
      title: 'Eine Trennung läuft noch',
      what: 'Wir trennen gerade ein anderes Ihrer Konten auf derselben Plattform. Danach können Sie ein Konto verbinden.',
      todo: 'Gehen Sie zurück zu {app} und versuchen Sie es in ein paar Minuten noch einmal.',
    },
    callbackUnknown: {
      title: 'Dieser Link ist ungültig oder wurde schon benutzt',
      what: 'Dieser Schritt ist schon abgeschlossen, oder er wurde nie begonnen.',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    callbackExpired: {
      title: 'Das hat zu lange gedauert',
      what: 'Wir warten zehn Minuten auf Ihre Entscheidung. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    wrongBrowser: {
      title: 'Bitte machen Sie in dem Browser weiter, in dem Sie begonnen haben',
      what: 'Sie haben in einem anderen Browser begonnen, oder dieser Browser hat unser Cookie nicht behalten.',
      todo: 'Machen Sie in dem anderen Browser weiter. Wenn es dieser ist, erlauben Sie Cookies und beginnen Sie in {app} von vorn.',
    },
    answerUnusable: {
      title: 'Die Antwort war ungültig',
      what: 'Die Plattform hat Sie zu uns zurückgeschickt, aber nicht mit dem, was wir zum Weitermachen brauchen. {nothing}',
      todo: 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    },
    prefetch: {
      title: 'Noch nicht geöffnet',
      what: 'Diese Seite lässt sich nicht im Voraus laden.',
      todo: 'Öffnen Sie sie, um fortzufahren.',
    },
    tooManyTries: {
      title: 'Zu viele Versuche',
      what: 'Wir haben in kurzer Zeit zu viele Anfragen aus Ihrem Netz erhalten.',
      todo: 'Warten Sie eine Minute, gehen Sie dann zurück zu {app} und beginnen Sie von vorn.',
    },
    unavailable: {
      title: 'Vorübergehend nicht verfügbar',
      what: 'Wir oder ein Dienst, auf den wir angewiesen sind, haben eine Störung. Ihr Fortschritt ist nicht verloren.',
      todo: 'Warten Sie einen Moment und laden Sie diese Seite neu. Wenn das nicht hilft, beginnen Sie in {app} von vorn.',
    },
  },
  deletion: {
    about: 'Löschung Ihrer Daten',
    unknown: 'Unbekannter Bestätigungscode',
    checkAddress: 'Prüfen Sie, ob die Adresse mit der übereinstimmt, die Sie von der Plattform haben.',
    done: 'Ihre Daten sind gelöscht',
    running: 'Ihre Daten werden gelöscht',
    received: 'Wir haben Ihre Anfrage am {date} erhalten.',
    nothing: 'Es waren keine Daten zu löschen',
    nothingFound:
      'Als Ihre Anfrage bei uns einging, war keines Ihrer Konten bei uns verbunden. Deshalb gab es nichts zu löschen.',
    afterwards: 'Wir haben alle Daten der Konten gelöscht, die zum Zeitpunkt Ihrer Anfrage verbunden waren.',
    spared:
      'Nach Ihrer Anfrage haben Sie ein Konto erneut verbunden. Es ist weiterhin verbunden. Trennen Sie es in der App, um seine Daten zu löschen.',
    kept: 'Wir behalten nur diesen Code und das Datum, und zwar ein Jahr lang. Technische Belege, die Sie nicht nennen, löschen wir nach sieben Tagen.',
    copies: 'Die App hat möglicherweise Kopien Ihrer Daten. Bitten Sie sie, diese zu löschen.',
    meanwhile: 'Niemand kann sie mehr lesen. Auf dieser Seite sehen Sie den Fortschritt.',
    code: 'Ihr Bestätigungscode:',
  },
};
