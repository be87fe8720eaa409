/**
 * Words of other languages, by their role in an attack: Arabic, Bengali, Chinese, Dutch, Finnish, French, German,
 * Greek, Hebrew, Hindi, Hungarian, Indonesian, Italian, Japanese, Korean, the Nordic languages, Persian, Polish,
 * Portuguese, Romanian, Russian, Spanish, Thai, Turkish, Ukrainian, Vietnamese and others. Folded as texts are: Latin
 * letters without accents. A star is any ending. Data only.
 */
export const otherLanguages = {
  override:
    "descarta descarte descarten " +
    "ignora ignorad ignorar ignoren olvida olvidad olvide olvidar descarta omite omitir desestima " +
    "desconsidera desconsidere desconsiderar ignore esqueca esquece esquecer esqueçam ignorez ignorer oublie " +
    "oubliez oublier dimentica dimenticate dimenticare ignorare ignori trascura scorda ignoriere ignorieren " +
    "ignorier ignoriert streiche streichen verwirf verwerfen vergiß vergiss vergesst vergessen missachte " +
    "negeer negeren vergeet zignoruj ignoruj zapomnij pomin ignorati ignoră uita uitati sayma unut unutun " +
    "gormezden yoksay say abaikan lupakan hiraukan ignorera glom glöm bortse glem glemm zapomen zapomente " +
    "hagyd figyelmen felejtsd unohda sivuuta jata отбрось отбросьте удали игнорируй " +
    "игнорируйте проигнорируй проигнорируйте забудь забудьте отмени пропусти ігноруй ігноруйте проігноруй " +
    "проігноруйте αγνοησε αγνόησε αγνοήστε ξέχασε ξεχασε تجاهل تجاهلوا انس انسى التجاهل התעלם התעלמי התעלמו " +
    "שכח תשכח نادیده فراموش अनदेखा नजरअंदाज नज़रअंदाज़ भूल भूलो উপেক্ষা ভুলে 不管 抛开 放弃 取消 忽略 无视 無視 忘记 忘記 忘掉 " +
    "不要理会 別管 別理會 忘れて 忘れろ 破棄 従わない 無効 忽視 무시 잊어 잊고 무시하고 무시해 เพิกเฉย ละเว้น ลืม ไม่ต้องสนใจ bhul bhool bhoolo " +
    "bhulo bhulja nazarandaz verges* vergisst missacht* uebergeh* olvid* dimentic* scordat* esque* " +
    "desconsider* desestim* trascur* negeert zignoruj* zapomnij* pomin* porzuc* lekcewaz* игнорируй* " +
    "проигнорируй* забудь* ігнор* проігнор* yoksay* dikkate تجاهل* انسوا अनदेखी नजरअंदाज* नज़रअंदाज़* 抛弃 撇开 忘れ " +
    "無効に 잊으 quen kesampingkan มองข้าม",
  prior:
    "precedente precedentes precedenti previa previas previo previos " +
    "anteriores anterior previas previos previo anteriormente precedentes precedente anteriori précédentes " +
    "precedenti prima vorhergehenden vorherigem vorheriges früheren frühere vorherigen vorherige vorigen " +
    "vorige bisherigen bisherige davor zuvor obigen obige oben vorher vorangegangenen eerdere bovenstaande " +
    "voorgaande poprzednie poprzednich wczesniejsze powyzsze powyższe anterioare önceki onceki yukarıdaki " +
    "yukaridaki sebelumnya tidigare föregående forrige tidligere ovenfor předchozí předešlé korábbi előző " +
    "fenti aiemmat edelliset aikaisemmat предыдущее предыдущий прежде предыдущие предыдущих предыдущую " +
    "прошлые прежние выше ранее попередні минулі вище προηγουμενες προηγούμενες προηγουμενα السابقة السابق " +
    "أعلاه القديمة הקודמות הקודם הקודמים לעיל قبلی پیشین पिछले पिछली पूर्व ऊपर আগের পূর্ববর্তী 之前 先前 以前 以上 上述 " +
    "前面 此前 上面 これまで 以前の 上記 前の 今まで 先ほど 이전 앞선 위의 지금까지 ก่อนหน้า ที่ผ่านมา pichle pichla pehle upar vorig* vorher* " +
    "vorang* obig* obenst* bisherig* frueher* dessus anterior* antecedent* sopra " +
    "soprasta* acima antes bovenst* bovengen* eerder* voorgaand* powyzsz* poprzedni* wczesniej* предыдущ* " +
    "прежни* прошл* вышеук* попередн* минул* onceki* yukarida* السابق* الماضية قبلی* پیشین* بالا پیش पिछल* " +
    "पहले 앞의 기존 truoc tren sebelum* tadi atas ข้างต้น ด้านบน",
  all:
    "todas todos todo toda cualquier toutes tous toute tout tutte tutti ogni alle alles allen aller sämtliche " +
    "wszystkie wszystkich toate toti tüm tum bütün hepsini semua seluruh alla allt všechny vsechny minden " +
    "összes kaikki все всё всех усі всі όλες ολες όλα كل جميع כל همه सभी सब সব 所有 一切 全部 すべて 全て 全ての 모든 모두 " +
    "ทั้งหมด sab sabhi saare samtlich* allem tudo tutto wszystk* wszelk* усіх butun كافة تمام تمامی सारे " +
    "전부 ทุก",
  your:
    "talimatlarini talimatlarinizi kurallarini kurallarinizi yonergelerini yonergelerinizi aturanmu instruksimu petunjukmu قواعدك تعليماتك rahasiamu " +
    "tu tus su sus seu sua seus tuo tuoi tua dein deine deinen deiner deinem ihre ihren votre vos ton tes je " +
    "jouw uw twoj twoje swój swoj tau sistem anda kamu din ditt dine твой твои твою свой свою ваш ваши ваші " +
    "твої σου خاصتك שלך خود अपना अपनी अपने तुम्हारा आपका 你的 您的 あなたの 당신의 너의 ของคุณ apna apne apni tumhara " +
    "dein* eure* ihre* suas tuas teus tue vostre swoj* twoj* свои своих своё ваш* свої свій твій senin sizin " +
    "sistemin الخاص الخاصة خودت तुम्हारे आपके お前の 네 ban",
  instr:
    "talimatlarini talimatlarinizi kurallarini kurallarinizi yonergelerini yonergelerinizi aturanmu instruksimu petunjukmu قواعدك تعليماتك " +
    "reguly regul بالتوجيهات لتعليماتك بالتعليمات للتعليمات " +
    "informationen angaben texte nachrichten fragen arbeitsanweisungen información mensajes textos " +
    "conversación tareas directivas informations textes tâches conversation consigne informazioni messaggi " +
    "compiti testi informações mensagens tarefas conversas informatie berichten taken informacje wiadomości " +
    "zadania bilgileri mesajları görevleri informasi pesan tugas instrucciones instruccion indicaciones " +
    "ordenes órdenes reglas directrices instruções instrucoes instrução regras ordens diretrizes comandos " +
    "consignes directives règles regles ordres istruzioni regole ordini comandi direttive anweisungen " +
    "anweisung instruktionen befehle befehl regeln vorgaben anordnungen aufgaben richtlinien instructies " +
    "regels opdrachten aanwijzingen instrukcje instrukcji polecenia zasady reguły instructiunile " +
    "instrucțiunile instructiuni regulile comenzile talimatları talimatlari talimatlar talimat kuralları " +
    "kurallari komutları yönergeleri instruksi perintah aturan petunjuk instruktioner instruktionerna regler " +
    "reglerna ordrer instruksjoner instrukser pokyny instrukce pravidla příkazy utasítást utasításokat " +
    "utasitasokat szabályokat parancsokat ohjeet ohjeita saannot komennot информацию сообщения задания задачи " +
    "промпты ограничения інформацію повідомлення инструкции инструкций указания указаний правила команды " +
    "приказы инструкцию інструкції вказівки οδηγιες οδηγίες κανονες εντολες التعليمات تعليمات الأوامر القواعد " +
    "ההוראות הוראות ההנחיות הכללים دستورالعمل دستورات دستورالعملها निर्देशों निर्देश आदेश नियम निर्देशो " +
    "নির্দেশ নির্দেশনা নির্দেশাবলী 内容 信息 資訊 設定 设定 指引 限制 约束 規定 规定 指令 指示 说明 命令 规则 規則 提示 提示词 提示詞 ルール プロンプト 지시 " +
    "지시를 지시사항 명령 규칙 프롬프트 คำสั่ง คำแนะนำ กฎ lệnh nirdesh niyam aadesh instructions anweisung* anordnung* " +
    "instruktion* vorgabe* richtlinie* befehl* consigne* directiv* regle instrucc* indicacion* directric* " +
    "normas instruc* instruco* diretriz* orientac* istruzion* indicazion* direttiv* aanwijzing* opdracht* " +
    "richtlijn* instrukc* polecen* zasad* wytyczn* инструкц* указани* правил* команд* директив* " +
    "распоряж* інструкц* вказівк* настанов* talimat* yonerge* kural* komut* تعليمات* تعليماتك " +
    "التوجيهات توجيهات* قواعد* قواعدك أوامر* دستور* قوانین* رهنمود* निर्देश* नियम* आदेश* 說明 要求 지침 huong " +
    "instruksi* petunjuk* aturan* perintah* arahan*",
  reveal:
    "revela revele reveles revelez revelar reveler montre montrez beritahu berikan وأظهر واكشف واعرض " +
    "revela revele revelar muestra muestrame muéstrame mostrar muestre dime imprime mostra mostre diga dimmi " +
    "rivela mostrami svela stampa révèle révélez montre affiche affichez dis zeige zeig zeigen drucken drucke " +
    "nenne verrate offenbare gib ausgeben toon onthul geef vertel laat ujawnij pokaż pokaz wyświetl podaj " +
    "dezvaluie dezvăluie arata arată goster göster gösterin açıkla yazdır söyle tampilkan ungkapkan tunjukkan " +
    "beritahu avslöja visa vis avslør ukaž ukaz prozraď zobraz mutasd fedd nayta näytä paljasta покажи " +
    "покажите раскрой раскройте выведи выведите скажи напиши розкрий виведи δειξε δείξε αποκάλυψε اكشف أظهر " +
    "اعرض اطبع اخبرني חשוף הצג הראה גלה نشان افشا दिखाएं दिखाओ बताओ बताएं प्रकट দেখাও প্রকাশ 显示 顯示 透露 告诉我 告訴我 " +
    "输出 輸出 展示 打印 公开 表示して 教えて 出力して 見せて 開示 보여줘 보여 알려줘 출력 공개 แสดง เปิดเผย บอก dikhao batao bata dikha " +
    "zeig* verrat* enthull* offenbar* nenn* affiche* divulgu* muestr* ensen* mostra* rivela* " +
    "svela* onthul* ujawni* pokaz* wyswietl* zdradz* покаж* раскро* выведи* розкри* покажи* виведи* goster* " +
    "acikla* soyle* أظهر* اكشف* اعرض* كشف* فاش بگو दिखा* बता* 告诉 告訴 明かし 알려 tampilkan* ungkap* " +
    "tunjuk*",
  hidden:
    "rahasiamu " +
    "secretes secretas secretos " +
    "sistema système systeme systemowy sistem systemu rendszer järjestelmän systemaufforderung ocultas " +
    "ocultos oculto cachées verborgen geheim systeem системный системную системні системна системы скрытые " +
    "النظام המערכת سیستم सिस्टम 系统 系統 システム 시스템 ระบบ সিস্টেম systemprompt* systeemprompt* systemeingabe* " +
    "geheim* secret segret* secrete* sistem* systeem* tajn* ukryt* systemow* секретн* скрыт* системн* " +
    "таємн* прихован* gizli* السرية سري مخفی* गुप्त 秘密 隐藏 隱藏 秘密の 비밀 숨겨진 rahasia* ลับ",
  fresh:
    "neue neuen neuer nueva nuevas nouvelle nouvelles nuove nuova nova novas nowe nowa yeni baru новые новое " +
    "новая нові نئی جديدة חדשות नए नया 新的 新しい 새로운",
  prompt:
    "prompt eingabeaufforderung systemprompt promptul promptunu istemini istem systeemprompt систем " +
    "промпт промт подсказку запрос промпта موجه הנחיית הנחיה प्रॉम्प्ट 提示词 提示詞 提示 プロンプト 프롬프트 พรอมต์ " +
    "প্রম্পট systemprompt* systeemprompt* eingabeauf* istem* промпт* промт* підказк* подсказк* موجه* " +
    "پرامپت* प्रॉम्प्ट* พรอมท์",
  secret:
    "contraseña contrasena contraseñas contrasenas clave senha senhas mdp passwort passwörter kennwort " +
    "zugangsdaten wachtwoord hasło haslo hasła parola parolele parolă şifre sifre şifreni sandi lösenord " +
    "passord adgangskode heslo jelszó jelszavakat salasana credenciales identifiants credenziali пароль " +
    "пароли паролі ключ ключи κωδικό κωδικος συνθηματικο المرور كلمة السر סיסמה סיסמאות רمز पासवर्ड कुंजी 密码 " +
    "密碼 密钥 私钥 私鑰 助记词 助記詞 パスワード 秘密鍵 비밀번호 개인키 비밀 รหัสผ่าน khẩu পাসওয়ার্ড",
  exfil:
    "envía envia envíe envie enviar manda mande envoie envoyez invia schicke sende senden stuur verstuur " +
    "wyślij wyslij trimite gönder gonder kirim kirimkan skicka send pošli posli küldd lähetä отправь " +
    "отправьте пришли надішли στείλε στειλε أرسل ارسل שלח بفرست भेजो भेजें 发送 發送 发给 傳送 转账 轉帳 送って 送信 보내 보내줘 송금 " +
    "ส่ง gửi bhejo bhej পাঠাও",
  follow:
    "따르지 지키지 従わない 従わず 守らない " +
    "befolge folge beachte tiens suis obeis respecte sigas siga hagas obedezcas seguire segui obbedire tenere " +
    "volg houd przestrzegaj zwracaj следуй* обращай* выполняй* соблюдай* зважай* виконуй* дотримуйся " +
    "alın uyma uymayın تلتزم* تتبع* تطع توجه पालन ध्यान 遵守 遵循 理会 理會 听从 聽從 従わ 守ら 지키 ikuti patuhi " +
    "turuti ทำตาม",
  not:
    "따르지 지키지 従わない 従わず 守らない " +
    "nicht kein keine niemals pas ne nao non niet geen nie не ні ей asla degil لا لن عدم نکن نکنید مت नहीं न " +
    "不要 不用 不必 别 別 勿 khong jangan tidak อย่า ไม่ต้อง ไม่",
  without:
    "ohne sans sin sem senza zonder bez без olmadan istemeden sormadan sinirsiz بدون دون بی बिना 不受 无需 無需 无须 " +
    "不需要 不经 不用 没有 なしで 無しで 없이 khong tanpa โดยไม่",
  safety:
    "limites limiti limite limitazioni restricciones restricoes restricao " +
    "einschrankung* beschrankung* restricc* limitac* restrizion* limiti " +
    "beperking* ogranicz* ограничен* обмежен* sinirla* sinirsiz* kisitlama* قيود* محدودیت* प्रतिबंध* सीमा* 限制 " +
    "约束 約束 制限 제한 batasan* ข้อจำกัด",
  output:
    "responde respondez responda respondre responder respondere " +
    "antwort* responde* reponds repondez risponde* rispondi antwoord* odpowiad* odpowiedz* отвечай* " +
    "отвечайте відповід* cevap* yanit* أجب* پاسخ* जवाब उत्तर 回答 答えて 答え 대답 답해 답변 jawab* ตอบ",
  pay:
    "transferez transfira transferir transfere transfiera " +
    "uberweis* transfier* transfera transfira* transferez transferisci* bonifico maak przelej* przeslij* " +
    "переведи* перечисли* отправь* перекажи* надішли* gonder* aktar* حول* أرسل* منتقل بفرست भेजो भेज* 转出 转账 " +
    "轉帳 转给 汇款 送金 보내 송금 이체 kirim* โอน",
  money:
    "parayi " +
    "guthaben* geld saldo* solde* argent fondos dinero saldi soldi denaro dinheiro fundos srodki pieniadz* " +
    "баланс* деньги деньг* средств* гроші* кошт* bakiye* paray* الرصيد رصيد* المال الأموال موجودی* पैसा " +
    "पैसे शेष 余额 餘額 资金 資金 残高 お金 잔액 돈 资产 uang เงิน ยอดเงิน",
  confirm:
    "nachzufragen ruckfrage* bestatigung* zustimmung confirmation demander confirmac* confirmacion preguntar " +
    "pedir conferma* chiedere bevestiging* toestemming pytania pytan* potwierdzen* подтвержден* спрос* " +
    "согласи* підтверджен* onay* sormadan تأكيد* تایید* पुष्टि* 确认 確認 询问 批准 확인 승인 konfirmasi* persetujuan " +
    "ยืนยัน",
  topic:
    "ataque ataques atacante atacantes inyeccion inyecciones vulnerabilidad vulnerabilidades injecao injecoes vulnerabilidades " +
    "attaque attaques attaquant attaquants vulnerabilite vulnerabilites angriff angriffe angreifer schwachstelle schwachstellen " +
    "attacco attacchi attaccante iniezione vulnerabilita атак* злоумышленник* инъекц* уязвимост* saldiri* saldirgan* " +
    "هجوم هجمات مهاجم المهاجم حقن الحقن हमला हमले हमलावर इंजेक्शन 攻击 攻擊 注入 漏洞 攻撃 インジェクション 脆弱性 공격 공격자 인젝션 취약점",
  /** These two only give words a role, and are in no phrase. */
  leave:
    "abandona abandone abandonad deja dejad cesa renuncia largue larga pare desiste abandonne abandonnez cesse cessez " +
    "renonce lasciare abbandona lascia rinuncia откажись откажитесь перестань прекрати vazgec* birak* तोड़ छोड़ छोड़ो chhodo chhod " +
    "تخل توقف 放下 停止 捨て やめて 버리고 버려 그만",
  setup:
    "configuracion configuracao configuracoes konfiguration* configurazione einstellungen настройк* конфигурац* ayarlar* " +
    "yapilandirma* إعدادات* إعداداتك सेटिंग settings 配置 设置 初始 最初 設定 設定の 설정 초기 처음 начальн* inicial initiale iniziale baslangic*",
} as const;
