import type { PageTexts } from './page-texts.ts';

export const es: PageTexts = {
  unknownApp: 'la aplicación de la que vienes',
  back: 'Volver a {app}',
  reference: '¿Necesitas ayuda? Indica esta referencia:',
  operator: {
    by: 'Este servicio lo opera {operator}.',
    contact: 'Contacto',
    privacy: 'Política de privacidad',
    terms: 'Condiciones de uso',
  },
  connect: { headline: 'Vincular una cuenta', nothing: 'No se ha vinculado nada.', doing: 'vincular una cuenta' },
  identity: { headline: 'Iniciar sesión', nothing: 'No has iniciado sesión.', doing: 'iniciar sesión' },
  onward: { title: 'Un momento', link: 'Continuar' },
  refusals: {
    wrongMethod: {
      title: 'Esta página no se puede abrir directamente',
      what: 'Esta dirección es un paso para {doing}. No funciona por sí sola.',
      todo: 'Ve a {app} y empieza allí.',
    },
    wrongForm: {
      title: 'Este enlace está incompleto',
      what: 'No hemos podido leer la solicitud que te trajo aquí. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    formTooLarge: {
      title: 'Este enlace está incompleto',
      what: 'No hemos podido leer la solicitud que te trajo aquí. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    launchUnknown: {
      title: 'Este enlace no funciona',
      what: 'Puede que el enlace esté incompleto o sea demasiado antiguo. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    launchUsed: {
      title: 'Este enlace ya se ha usado',
      what: 'Cada enlace funciona una vez, y este ya se abrió, quizá con un segundo clic. Si la página siguiente está abierta en otra pestaña, puedes continuar allí.',
      todo: 'Si no, vuelve a {app} y empieza de nuevo.',
    },
    launchExpired: {
      title: 'Este enlace ha caducado',
      what: 'Era válido durante diez minutos. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    wrongOrigin: {
      title: 'Hemos detenido esta solicitud',
      what: 'La página que la envió no pertenece a {app}. {nothing}',
      todo: 'Si querías hacerlo, abre {app} por tu cuenta y empieza allí.',
    },
    framed: {
      title: 'Este paso necesita toda la ventana',
      what: 'La página de la que vienes está dentro de otra página. {nothing}',
      todo: 'Abre {app} en una ventana propia y empieza allí.',
    },
    notNavigation: {
      title: 'Este paso necesita una página propia',
      what: 'La solicitud no vino de una página que hayas abierto. {nothing}',
      todo: 'Ve a {app} y empieza de nuevo.',
    },
    notAllowed: {
      title: 'Ya no es posible',
      what: 'La configuración de {app} ha cambiado desde que empezaste. {nothing}',
      todo: 'Vuelve a {app} para ver tus opciones.',
    },
    paused: {
      title: 'La vinculación está en pausa',
      what: 'Ahora no puedes vincular cuentas de esta plataforma. {nothing}',
      todo: 'Vuelve a {app} e inténtalo más tarde.',
    },
    disconnecting: {
      title: 'Una desvinculación sigue en curso',
      what: 'Estamos desvinculando otra de tus cuentas de la misma plataforma. Después podrás vincular una cuenta.',
      todo: 'Vuelve a {app} e inténtalo de nuevo en unos minutos.',
    },
    callbackUnknown: {
      title: 'Este enlace no es válido o ya se ha usado',
      what: 'Este paso ya terminó, o nunca empezó.',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    callbackExpired: {
      title: 'Ha pasado demasiado tiempo',
      what: 'Esperamos tu decisión durante diez minutos. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    wrongBrowser: {
      title: 'Continúa en el navegador en el que empezaste',
      what: 'Empezaste en otro navegador, o este navegador no ha guardado nuestra cookie.',
      todo: 'Vuelve a aquel navegador. Si es este, permite las cookies y empieza de nuevo en {app}.',
    },
    answerUnusable: {
      title: 'La respuesta no es válida',
      what: 'La plataforma te ha devuelto con una respuesta que no podemos aceptar. {nothing}',
      todo: 'Vuelve a {app} y empieza de nuevo.',
    },
    prefetch: {
      title: 'Aún sin abrir',
      what: 'Esta página no se puede cargar por adelantado.',
      todo: 'Ábrela para continuar.',
    },
    tooManyTries: {
      title: 'Demasiados intentos',
      what: 'Hemos recibido demasiadas solicitudes de tu red en poco tiempo.',
      todo: 'Espera un minuto; después vuelve a {app} y empieza de nuevo.',
    },
    unavailable: {
      title: 'No disponible por el momento',
      what: 'Nosotros, o un servicio del que dependemos, tenemos un problema. No se ha perdido nada.',
      todo: 'Espera un momento y vuelve a cargar esta página. Si no ayuda, empieza de nuevo en {app}.',
    },
  },
  deletion: {
    about: 'Eliminación de tus datos',
    unknown: 'Código de confirmación desconocido',
    checkAddress: 'Comprueba que la dirección coincide con la que te dio la plataforma.',
    done: 'Tus datos se han eliminado',
    running: 'Tus datos se están eliminando',
    received: 'Recibimos tu solicitud el {date}.',
    nothing: 'No había datos que eliminar',
    nothingFound:
      'Cuando recibimos tu solicitud, ninguna cuenta tuya estaba vinculada con nosotros. Por eso no había nada que eliminar.',
    afterwards: 'Hemos eliminado todos los datos de las cuentas que estaban vinculadas cuando hiciste la solicitud.',
    spared:
      'Después de la solicitud volviste a vincular una cuenta. Sigue vinculada. Desvincúlala en la aplicación para eliminar sus datos.',
    kept: 'Solo conservamos este código y la fecha, durante un año. Los recibos técnicos, que no te nombran, se eliminan a los siete días.',
    copies: 'Es posible que la aplicación tenga copias de tus datos. Pídele que las elimine.',
    meanwhile: 'Ya nadie puede leerlos. Puedes ver el progreso en esta página.',
    code: 'Tu código de confirmación:',
  },
};
